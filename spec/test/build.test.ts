import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { copySpec } from './broken.ts'

const withBroken = copySpec()

const run = promisify(execFile)
const MISSING_FACT = {
  file: 'schemas/auth.yaml',
  text: 'required: [customer_id, user_id]',
  to: 'required: [customer_id]',
}

it('prints the file, line and rule of a problem, keeps the last good build, and exits with 1', async () => {
  await withBroken([MISSING_FACT], async (spec) => {
    mkdirSync(join(spec, 'dist'))
    writeFileSync(join(spec, 'dist/openapi.json'), 'the last good one')

    const built = run(process.execPath, [join(spec, 'build/cli.ts')], { cwd: spec })
    const failure = await built.catch((error) => error)

    expect(failure.code).toBe(1)
    const printed = `${failure.stdout}${failure.stderr}`
    expect(printed).toMatch(/schemas\/auth\.yaml:\d+:\d+/)
    expect(printed).toContain('contract/facts-agree')
    expect(printed).toContain('the last good build stays in place')
    expect(readFileSync(join(spec, 'dist/openapi.json'), 'utf8')).toBe('the last good one')
  })
})
