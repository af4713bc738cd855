# Plugins and clients in C and C++ from the installed package: by CMake and by pkg-config; a new plugin by its own steps.
mount -t proc proc /proc
mkdir -p /tmp/c
cd /tmp/c
cp /packages/consumer.c /packages/consumer.cpp /packages/CMakeLists.txt .
cmake -B build
cmake --build build
./build/consumer_c
./build/consumer_cpp
cc -std=c11 -o by_hand consumer.c $(pkg-config --cflags --libs touchline_client)
./by_hand
for language in c cpp; do
    for kind in motion sensor player referee; do
        touchline new-plugin $kind of-$language-$kind --language $language
    done
    cd sensor-of-$language-sensor
    cmake -B build
    cmake --build build
    ctest --test-dir build --output-on-failure
    touchline check --contract build/libsensor_of_${language}_sensor.so
    cd ..
done
# The installed headers in place of the copies in a new plugin.
printf 'cmake_minimum_required(VERSION 3.16)\nproject(p C)\nfind_package(touchline_plugin 0.1 REQUIRED)\nadd_library(mine SHARED mine.c)\ntarget_link_libraries(mine PRIVATE Touchline::plugin m)\ntarget_compile_definitions(mine PRIVATE PLUGIN_VERSION="1")\n' > CMakeLists.txt
cp sensor-of-c-sensor/src/*.c mine.c
rm -rf build
cmake -B build
cmake --build build
touchline check build/libmine.so
cc -shared -fPIC -DPLUGIN_VERSION='"1"' $(pkg-config --cflags touchline_plugin) mine.c -o libtoo.so -lm
touchline check ./libtoo.so
