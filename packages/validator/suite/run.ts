import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ContractError, createValidator } from '../src/index.ts'

/** A schema of the suite with its test values. */
interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** The number of cases of a file in which the validator agrees with the suite. */
export interface Row {
  readonly file: string
  readonly cases: number
  readonly wrong: readonly string[]
}

const DRAFT = 'draft2020-12'
const META = [
  'schema',
  ...'core applicator unevaluated validation meta-data format-annotation content'
    .split(' ')
    .map((it) => `meta/${it}`),
]

/** Runs the tests of draft 2020-12 of a clone of the JSON Schema Test Suite. */
export function runSuite(clone: string): Row[] {
  const folder = join(clone, 'tests', DRAFT)
  const others = [...remotesOf(join(clone, 'remotes')), ...metaSchemas()]
  return filesOf(folder).map((file) => {
    const groups = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Group[]
    const wrong = groups.flatMap((group) => wrongCases(group, others))
    return { file, cases: groups.flatMap(({ tests }) => tests).length, wrong }
  })
}

function filesOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.json')).sort()
}

/** The remote schemas of the suite, each with its URL as identifier. Excludes meta-schemas. */
function remotesOf(folder: string): object[] {
  const files = filesOf(folder).filter((file) => file.startsWith(DRAFT))
  const remotes = files.map((file) => ({
    file,
    remote: JSON.parse(readFileSync(join(folder, file), 'utf8')) as object,
  }))
  return remotes
    .filter(({ remote }) => !('$vocabulary' in remote))
    .map(({ file, remote }) => withAddress(`http://localhost:1234/${file}`, remote))
}

/** A schema whose identifier differs from its URL is also available by its URL. */
function withAddress($id: string, remote: object): object {
  return '$id' in remote && remote.$id !== $id
    ? { $id, $ref: remote.$id, $defs: { remote } }
    : { $id, ...remote }
}

function metaSchemas(): object[] {
  const read = createRequire(import.meta.url)
  return META.map((name) => read(`ajv/dist/refs/json-schema-2020-12/${name}.json`) as object)
}

function wrongCases({ description, schema, tests }: Group, others: readonly object[]): string[] {
  const judge = judgeOf(schema, others)
  return tests
    .filter(({ data, valid }) => judge(data) !== valid)
    .map((test) => `${description} / ${test.description}`)
}

/** Whether a value is valid; undefined if the validator refuses the schema. */
function judgeOf(schema: unknown, others: readonly object[]): (value: unknown) => boolean | undefined {
  const own = typeof schema === 'object' ? { $id: 'https://example.com/tried', ...schema } : schema
  const schemas = { ...others, own }
  try {
    const validator = createValidator({ openapi: '3.1.0', components: { schemas } })
    return (value) => validator.validateValue('/components/schemas/own', value).length === 0
  } catch (error) {
    if (error instanceof ContractError) return () => undefined
    throw error
  }
}
