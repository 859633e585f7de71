import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { tableOf } from '../suite/report.ts'
import { runSuite } from '../suite/run.ts'
import { UNSUPPORTED } from '../suite/unsupported.ts'

const clone = mkdtempSync(join(tmpdir(), 'suite-'))

function write(file: string, content: unknown): void {
  const path = join(clone, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
}

const address = 'http://localhost:1234/draft2020-12/remote.json'
const group = (description: string, schema: unknown, tests: [string, unknown, boolean][]) => ({
  description,
  schema,
  tests: tests.map(([it, data, valid]) => ({ description: it, data, valid })),
})
write('remotes/draft2020-12/remote.json', { $defs: { text: { type: 'string' } } })
write('remotes/draft7/old.json', { items: [{}] })
write('tests/draft2020-12/ref.json', [
  group('remote', { $ref: `${address}#/$defs/text` }, [
    ['a string', 'a', true],
    ['a number', 1, false],
  ]),
  group('meta-schema', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, [
    ['a schema', { type: 'string' }, true],
    ['no schema', { type: 1 }, false],
  ]),
  group('false', false, [['anything', 1, false]]),
])
write('tests/draft2020-12/optional/other.json', [
  group('lost', { $ref: 'https://example.com/lost' }, [
    ['right', 1, true],
    ['wrong', 2, false],
  ]),
  group('wrong', { type: 'string' }, [['a number', 1, true]]),
])
afterAll(() => rmSync(clone, { recursive: true }))

const failed = ['lost / right', 'lost / wrong', 'wrong / a number']

it('counts the cases of each file of a clone of the suite', () => {
  const { lines } = tableOf(runSuite(clone), [])
  expect(lines.map((line) => line.trim().split(/\s+/))).toEqual([
    ['cases', 'supported', 'unsupported', 'file'],
    ['3', '0', '3', 'optional/other.json'],
    ['5', '5', '0', 'ref.json'],
    ['8', '5', '3', 'total'],
  ])
})

it('reports an unknown failure and an unexpected pass', () => {
  const rows = runSuite(clone)
  const known = (cases: string[]) => [{ file: 'optional/other.json', reason: '', cases }]
  expect(tableOf(rows, known(failed)).unexpected).toEqual([])
  expect(tableOf(rows, known([...failed.slice(1), 'gone / now right'])).unexpected).toEqual([
    'unexpected failure: optional/other.json: lost / right',
    'unexpected pass: optional/other.json: gone / now right',
  ])
})

it('has a reason for each unsupported case', () => {
  expect(UNSUPPORTED.length).toBeGreaterThan(0)
  expect(UNSUPPORTED.filter(({ reason, cases }) => !/^.{20,}\.$/.test(reason) || cases.length === 0)).toEqual(
    [],
  )
})
