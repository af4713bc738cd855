# The wheels, in environments of their own, without a network.
mount -t proc proc /proc
cd /tmp
python3 -m venv plain
plain/bin/pip install --no-index /packages/touchline_client-*.whl
plain/bin/python -c 'import touchline_client; print(touchline_client.Client)'
# Of a debug build there is no wheel with the engine.
for wheel in /packages/touchline-*.whl; do
    if [ -e "$wheel" ]; then
        python3 -m venv whole
        whole/bin/pip install --no-index --find-links /packages "$wheel"
        whole/bin/python -c 'import touchline; env = touchline.Batch("goalkeeper", 4); print(env)'
    fi
done
# Removed, nothing of the package is left.
dpkg -r touchline
if command -v touchline; then exit 1; fi
test ! -e /usr/lib/touchline
test ! -e /usr/share/touchline
