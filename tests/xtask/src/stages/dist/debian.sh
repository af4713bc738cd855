# The Debian package: installed by dpkg, its server used by its own client, removed without a trace.
mount -t proc proc /proc
python3 -c '
import fcntl, socket, struct
with socket.socket() as s:
    fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))'
rm -rf /opt/somewhere
dpkg -i /packages/touchline_*.deb
dpkg -V touchline
cd /tmp
touchline demo --ready-json > ready &
server=$!
while ! grep -q ready ready; do kill -0 $server; sleep 0.1; done
printf 'ROBOT rosie file=pioneer\nFORWARD rosie 0.3\nGET rosie *\nDESCRIBE rosie\n' | touchline connect > said
grep -q '^OK ROBOT .*name=rosie' said
grep -q '^OK FORWARD' said
grep -q '^DATA laser' said
grep -q '^OK BYE' said
# Of a debug build, which has no wheel with the engine, the page lies in the sources.
if ls /packages/touchline-*.whl; then
    python3 -c 'import urllib.request as r; assert b"<html" in r.urlopen("http://127.0.0.1:7051/").read().lower()'
fi
kill $server
wait $server
# Programs in C, run where the loader finds the library by itself.
test -f /usr/share/man/man1/touchline.1.gz
bash -n /usr/share/bash-completion/completions/touchline
grep -q 'ExecStart=/usr/bin/touchline serve' /usr/lib/systemd/system/touchline.service
grep -q rapier2d /usr/share/doc/touchline/THIRD-PARTY.txt
grep -q CycloneDX /usr/share/doc/touchline/sbom.cdx.json
grep -q 'Permission is hereby granted' /usr/share/doc/touchline/copyright
touchline run f2000 --for 5 --record match.mcap --json > run.json
touchline log verify match.mcap
