/* Compares rows of vectors with queries, as `KERNEL` in src/shard/vector-shard.ts. Built so, with clang, lld and binaryen of Debian 12:
 * clang --target=wasm32 -O2 -fno-builtin -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -msimd128 -c -o dots.o dots.c
 * wasm-ld -z stack-size=0 --initial-memory=65536 --no-entry --strip-all --import-memory -o dots.wasm dots.o
 * wasm-opt --enable-simd -Os dots.wasm -o dots.wasm && base64 -w 100 dots.wasm */
#include <wasm_simd128.h>
typedef signed char i8; typedef short i16; typedef int i32;
/* Dot products of `count` rows with `number` queries, those of a row beside each other. */
__attribute__((export_name("dots")))
void dots(const i8 *rows, i32 count, i32 size, const i16 *queries, i32 number, i32 *out) {
  i32 whole = size & ~15;
  for (; count > 0; count--, rows += size) {
    const i16 *query = queries;
    for (i32 k = 0; k < number; k++, query += size) {
      v128_t sum = wasm_i32x4_splat(0), other = sum;
      i32 i = 0;
      for (; i < whole; i += 16) {
        v128_t x = wasm_v128_load(rows + i);
        sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(x), wasm_v128_load(query + i)));
        other = wasm_i32x4_add(other, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(x), wasm_v128_load(query + i + 8)));
      }
      sum = wasm_i32x4_add(sum, other);
      i32 total = wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1) + wasm_i32x4_extract_lane(sum, 2) + wasm_i32x4_extract_lane(sum, 3);
      for (; i < size; i++) total += rows[i] * query[i];
      *out++ = total;
    }
  }
}
