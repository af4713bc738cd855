/* Prints which sensors are wanted for fields of the sensors 2, 0 and 2, and for no fields. */
#include <touchline/helpers.h>

int main(void) {
    static const tl_field_handle fields[] = {{2, 0, 1, 1.0, false}, {0, 0, 1, 1.0, false}, {2, 1, 1, 1.0, true}};
    const tl_field_handle *const wanted[] = {&fields[0], &fields[1], &fields[2]};
    char text[64];
    const size_t counts[] = {3, 0};
    for (size_t i = 0; i < TL_LEN(counts); i++) {
        tl_text_buffer buffer = {text, 0, sizeof text, 0};
        if (tl_write_wanted(&buffer, wanted, counts[i]) != TL_OK)
            return 1;
        printf("%.*s\n", (int)buffer.len, text);
    }
    return 0;
}
