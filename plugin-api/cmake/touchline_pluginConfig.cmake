# find_package(touchline_plugin): the target Touchline::plugin, headers alone.
get_filename_component(touchline_plugin_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET Touchline::plugin)
    add_library(Touchline::plugin INTERFACE IMPORTED)
    set_target_properties(Touchline::plugin PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${touchline_plugin_prefix}/include")
    if(NOT MSVC)
        # One rounding for each operation: so the results are the same on every machine.
        set_target_properties(Touchline::plugin PROPERTIES INTERFACE_COMPILE_OPTIONS -ffp-contract=off)
    endif()
endif()
unset(touchline_plugin_prefix)
