/* Loads the named libraries as the server does, and prints how each describes itself, a line each. */
#include <dlfcn.h>
#include <touchline/testing.h>

int main(int count, char **files) {
    for (int i = 1; i < count; i++) {
        static char message[1024], text[4096];
        tl_nothing input = {tl_test_head(sizeof input)};
        tl_text_reply said = {tl_test_head(sizeof said), {message, 0, sizeof message, 0}, {text, 0, sizeof text, 0}};
        const touchline_plugin *(*plugin)(void);
        void *library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        TL_TEST(library != NULL);
        /* ISO C has no other way from an object's pointer to a function's. */
        *(void **)&plugin = dlsym(library, "touchline_plugin_v8");
        tl_test_ok("describe", plugin()->describe(NULL, &input, &said), &said.message);
        printf("%.*s\n", (int)said.text.len, said.text.ptr);
    }
    return 0;
}
