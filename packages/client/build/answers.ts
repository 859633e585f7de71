import { fileURLToPath } from 'node:url'
import { isNode, marksOf } from '@partner-payments/spec/build'
import { _, Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { build } from 'esbuild'
import type { Node } from './contract.ts'
import { markedSchemas } from './marked.ts'

const CLIENT = fileURLToPath(new URL('..', import.meta.url))
const HEAD = `// @ts-nocheck
/*! Contains parts of ajv, Copyright (c) 2015-2021 Evgeny Poberezkin, and of ajv-formats, Copyright (c) 2020 Evgeny Poberezkin; both MIT License. */
import type { Row } from '../issues.ts'
`
const TYPE = 'Readonly<Record<string, Row>>'

/** A bundled contract, as far as its answers go. */
export interface Bundle {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<'schemas' | 'responses', Readonly<Record<string, Node>>>>
}

/** A source file that checks the answers of every operation, by status, and imports nothing when it runs. */
export async function answersModule(contract: Bundle): Promise<string> {
  const { rows, schemas, names } = readAnswers(contract)
  const { outputFiles } = await build({
    stdin: { contents: `${compile(schemas, names)}\nexport const answers = { ${rows} }`, resolveDir: CLIENT },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  const text = outputFiles[0]?.text ?? ''
  return HEAD + text.replace(/export\{(\S+) as answers\}/, `export const answers: ${TYPE} = $1`)
}

/** By operation, by status, the check of the body; and the schemas that are checked. */
function readAnswers({ paths, components }: Bundle) {
  const { marked, nameOf } = markedSchemas(components.schemas)
  const names = new Set<string>()
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const rows = operations.filter(isNode).map(rowOf).filter(Boolean)
  return { rows: rows.join(', '), schemas: marked, names }

  function rowOf({ operationId, responses }: Node): string | undefined {
    if (!operationId || !isNode(responses)) return undefined
    const cells = Object.entries(responses).flatMap(([status, it]) => cellsOf(status, responseOf(it as Node)))
    return `${operationId}: { ${cells.join(', ')} }`
  }

  function cellsOf(status: string, response: Node): string[] {
    if (status >= '300') return [`${status}: ${checkOf(response)}`]
    const asked = { question: questionOf(response, 'status'), bodyQuestion: questionOf(response, 'content') }
    const questions = Object.entries(asked).filter(([, id]) => id !== undefined)
    return [`${status}: ${checkOf(response)}`, ...questions.map(([name, id]) => `${name}: '${id}'`)]
  }

  function checkOf(response: Node): string {
    const [media] = Object.values((response.content ?? {}) as Readonly<Record<string, { schema: Node }>>)
    if (!media) return 'null'
    const component = String(media.schema.$ref).replace('#/components/schemas/', '')
    // Not of its own for a marked response: a copy of a large schema would weigh more than the mark.
    const name = nameOf(component, undefined)
    names.add(name)
    return identifier(name)
  }

  function responseOf(response: Node): Node {
    return components.responses[String(response.$ref).replace('#/components/responses/', '')] ?? response
  }
}

function questionOf(node: Node, keyword: string): string | undefined {
  return marksOf(node).find((mark) => mark.keyword === undefined || mark.keyword === keyword)?.id
}

/** The code of one function a schema; those that refer to each other share it. */
function compile(schemas: object, names: ReadonlySet<string>): string {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    messages: false,
    // Both for less code.
    inlineRefs: false,
    loopRequired: 1,
    formats: fullFormats,
    code: { source: true, esm: true, formats: _`require("ajv-formats/dist/formats").fullFormats` },
  })
  ajv.addSchema({ $id: 'contract', $defs: schemas })
  const refs = [...names].map((name) => [identifier(name), `contract#/$defs/${name}`])
  const code = standalone.default(ajv, Object.fromEntries(refs)).replaceAll('export const', 'const')
  return limitLoops(code)
}

/** Errors of one list after which ajv looks no further: a long list of wrong records would keep it busy for minutes. */
const LIMIT = 1000

function limitLoops(code: string): string {
  return code.replace(/(i\d+)<(len\d+);/g, `$1<$2 && !(vErrors?.length >= ${LIMIT});`)
}

function identifier(name: string): string {
  return `check_${name.replaceAll('-', '_')}`
}
