import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { WRITTEN } from '../options.ts'

const ROOT = join(import.meta.dirname, '../..')

for (const { file, rewrite } of WRITTEN) {
  it(`finds in ${file} the options as the tables have them; scripts/options.ts writes them anew`, () => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    expect(text).toBe(rewrite(text))
  })
}
