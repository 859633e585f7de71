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
const folder = mkdtempSync(join(tmpdir(), 'recorded-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('finds nothing in the traffic of the example app with a right service', async () => {
  const { failed, results } = await runExample()
  expect([failed, results.flatMap(({ findings }) => findings)]).toEqual([[], []])
  expect(results.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(50)
})

it.each(mutantsOf(recorded))('names in that traffic: $says', async (mutant) => {
  const findings = (await runExample(mutant.says)).results.flatMap((it) => it.findings)
  expect(findings).toSatisfy((it) => isNamed(mutant, it))
})

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
async function runExample(MUTANT = 'none') {
  const RESULTS = join(mkdtempSync(join(folder, 'run-')), 'results.jsonl')
  const include = ['test/server.test.ts']
  const resolveId = (id: string, importer = '') =>
    id === '@partner-payments/sandbox' && importer.endsWith(include[0] ?? '') ? STAND_IN : undefined
  const vitest = await createVitest(
    'test',
    { root: ROOT, config: false, watch: false, reporters: [], include, env: { MUTANT, RESULTS } },
    { plugins: [{ name: 'stand-in', enforce: 'pre', resolveId }] },
  )
  try {
    const { testModules } = await vitest.start()
    const failed = testModules.flatMap(({ children }) =>
      [...children.allTests('failed')].map((it) => it.name),
    )
    const lines = readFileSync(RESULTS, 'utf8').trim().split('\n')
    return { failed, results: lines.map((line): Result => JSON.parse(line)) }
  } finally {
    await vitest.close()
    process.exitCode = undefined
  }
}
