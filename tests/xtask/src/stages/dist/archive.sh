# The archive, unpacked anywhere, runs there: no variable, no option, no installation.
mount -t proc proc /proc
ip link set lo up 2>/dev/null || python3 -c '
import fcntl, socket, struct
with socket.socket() as s:
    fcntl.ioctl(s, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))'
mkdir -p /opt/somewhere
tar -xzf /packages/touchline-*.tar.gz -C /opt/somewhere
cd /tmp
touchline=$(echo /opt/somewhere/touchline-*/bin/touchline)
"$touchline" --version
"$touchline" run f2000 --for 5 --expect 'faults == 0' --expect 'steps == 500'
"$touchline" plugins | grep -q '^player *striker'
ln -s "$touchline" /tmp/by-a-link
/tmp/by-a-link check f2000 pioneer | grep -q 'world "f2000"'
# A world of one's own names shipped robots, and a robot of one's own shipped parts, without a path.
printf 'name = "mine"\n[[robot]]\nname = "rosie"\nfile = "pioneer"\npose = { x_m = 0.0, y_m = 0.0, theta_rad = 0.0 }\n' > mine.toml
"$touchline" run mine.toml --steps 10 --json | grep -q '"faults":\[\]'
if "$touchline" run f2001 2> refused; then exit 1; fi
grep -q 'worlds that need no path: .*f2000' refused
