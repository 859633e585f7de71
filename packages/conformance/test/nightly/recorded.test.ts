import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { createVitest } from 'vitest/node'
import { isNamed, mutantsOf } from '../mutants/index.ts'
import { recorded } from '../mutants/recorded.ts'

const ROOT = fileURLToPath(new URL('../../../../examples/web', import.meta.url))
const STAND_IN = fileURLToPath(new URL('../services/recorded.ts', import.meta.url))
/** The tests of the example, in its folder. */
const EXAMPLE = 'test/server.test.ts'
const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('finds nothing in the traffic of the example app with a right service', async () => {
  const { failed, results } = await runExample()
  expect(failed).toEqual([])
  expect(results.flatMap(({ findings }) => findings)).toEqual([])
  const requests = results.reduce((sum, result) => sum + result.requests, 0)
  expect(requests).toBeGreaterThan(50)
})

for (const mutant of mutantsOf(recorded)) {
  it(`names in that traffic: ${mutant.says}`, async () => {
    const { results } = await runExample(mutant.says)
    const findings = results.flatMap((result) => result.findings)
    expect(isNamed(mutant, findings), JSON.stringify(findings)).toBe(true)
  })
}

interface Result {
  readonly requests: number
  readonly findings: readonly {
    readonly rule: string
    readonly operation: string
    readonly message: string
  }[]
}

/**
 * Runs the example's own tests with a mutant, which may fail then. Each of their sandboxes has a
 * result.
 */
async function runExample(mutant = 'none') {
  const file = join(mkdtempSync(join(folder, 'run-')), 'results.jsonl')
  const resolveId = (id: string, importer = '') => {
    const isSandbox = id === '@partner-payments/sandbox' && importer.endsWith(EXAMPLE)
    return isSandbox ? STAND_IN : undefined
  }
  const vitest = await createVitest(
    'test',
    {
      root: ROOT,
      config: false,
      watch: false,
      reporters: [],
      include: [EXAMPLE],
      env: { MUTANT: mutant, RESULTS: file },
    },
    { plugins: [{ name: 'stand-in', enforce: 'pre', resolveId }] },
  )
  try {
    const { testModules } = await vitest.start()
    const failedTests = testModules.flatMap(({ children }) => [...children.allTests('failed')])
    const failed = failedTests.map(({ name }) => name)
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return { failed, results: lines.map((line): Result => JSON.parse(line)) }
  } finally {
    await vitest.close()
    process.exitCode = undefined
  }
}
