import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { buildSpec } from '../build/build.ts'
import { copySpec } from './broken.ts'

const withBroken = copySpec()

const run = promisify(execFile)
const WRONG = [['schemas/auth.yaml', 'required: [customer_id, user_id]', 'required: [customer_id]']] as const

it('builds the files that the package exports', async () => {
  await withBroken([['facts.yaml', /$/, '\n']], async (spec) => {
    const { problems, operations } = await buildSpec({ spec })
    expect(problems).toEqual([])
    expect(operations).toBe(20)
    expect(readdirSync(join(spec, 'dist')).sort()).toEqual([
      'behaviour.d.ts',
      'behaviour.json',
      'facts.json',
      'guide.d.ts',
      'guide.json',
      'open-questions.json',
      'openapi.d.ts',
      'openapi.json',
      'openapi.yaml',
      'sources.json',
    ])
    expect(existsSync(join(spec, 'dist.next'))).toBe(false)
  })
})

it('prints the file, line and rule of a problem, keeps the last good build, and exits with 1', async () => {
  await withBroken(WRONG, async (spec) => {
    mkdirSync(join(spec, 'dist'))
    writeFileSync(join(spec, 'dist/openapi.json'), 'the last good one')
    const failure = await run(process.execPath, [join(spec, 'build/cli.ts')], { cwd: spec }).catch(
      (error) => error,
    )
    expect(failure.code).toBe(1)
    const printed = `${failure.stdout}${failure.stderr}`
    expect(printed).toMatch(/schemas\/auth\.yaml:\d+:\d+/)
    expect(printed).toContain('contract/facts-agree')
    expect(printed).toContain('the last good build stays in place')
    expect(readFileSync(join(spec, 'dist/openapi.json'), 'utf8')).toBe('the last good one')
  })
})
