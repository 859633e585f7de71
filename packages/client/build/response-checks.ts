import { fileURLToPath } from 'node:url'
import { type Operation, questionOf, type Response } from '@partner-payments/contract'
import { _, Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { build } from 'esbuild'
import { contract, operations } from './contract.ts'
import { markedSchemas } from './marked-schemas.ts'

const CLIENT = fileURLToPath(new URL('..', import.meta.url))
const HEAD = `// @ts-nocheck
/*! Contains parts of ajv, Copyright (c) 2015-2021 Evgeny Poberezkin, and of ajv-formats, Copyright (c) 2020 Evgeny Poberezkin; both MIT License. */
import type { Row } from '../issues.ts'
`
const TYPE = 'Readonly<Record<string, Row>>'

/**
 * Generates a module that checks the responses of every operation by status. It has no runtime
 * imports.
 */
export async function responseChecksModule(): Promise<string> {
  const { rows, schemas, names } = readResponseChecks()
  const { outputFiles } = await build({
    stdin: {
      contents: `${compile(schemas, names)}\nexport const responseChecks = { ${rows} }`,
      resolveDir: CLIENT,
    },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  const code = outputFiles[0]?.text ?? ''
  const typed = code.replace(
    /export\{(\S+) as responseChecks\}/,
    `export const responseChecks: ${TYPE} = $1`,
  )
  return HEAD + typed
}

/** The body checks by operation and status, and the schemas that they use. */
function readResponseChecks() {
  const { marked, copyToName } = markedSchemas(contract.components.schemas)
  const names = new Set<string>()
  const rows = operations.map(writeRow)
  return { rows: rows.join(', '), schemas: marked, names }

  function writeRow({ id, responses }: Operation): string {
    const cells = responses.flatMap(writeCells)
    return `${id}: { ${cells.join(', ')} }`
  }

  function writeCells(response: Response): string[] {
    const { status, node } = response
    const cells = [`${status}: ${writeCheck(response)}`]
    const isError = Number(status) >= 300
    if (isError) return cells

    const question = questionOf(node, 'status')
    const bodyQuestion = questionOf(node, 'content')
    if (question) cells.push(`question: '${question}'`)
    if (bodyQuestion) cells.push(`bodyQuestion: '${bodyQuestion}'`)
    return cells
  }

  function writeCheck({ body }: Response): string {
    if (!body?.name) return 'null'
    // A marked response shares the schema: a copy of a large schema would weigh more than the mark.
    const name = copyToName(body.name, undefined)
    names.add(name)
    return identifier(name)
  }
}

/** Compiles one function per schema; functions share the schemas that they refer to. */
function compile(schemas: object, names: ReadonlySet<string>): string {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    messages: false,
    // Both options reduce the code size.
    inlineRefs: false,
    loopRequired: 1,
    formats: fullFormats,
    code: { source: true, esm: true, formats: _`require("ajv-formats/dist/formats").fullFormats` },
  })
  ajv.addSchema({ $id: 'contract', $defs: schemas })
  const refs: Record<string, string> = {}
  for (const name of names) refs[identifier(name)] = `contract#/$defs/${name}`
  const code = standalone.default(ajv, refs)
  // The module exports only `responseChecks`.
  return limitLoops(code.replaceAll('export const', 'const'))
}

/**
 * Maximum number of errors in a list: checking a long list of invalid records would take minutes.
 */
const MAX_ERRORS = 1000

function limitLoops(code: string): string {
  return code.replace(/(i\d+)<(len\d+);/g, `$1<$2 && !(vErrors?.length >= ${MAX_ERRORS});`)
}

function identifier(name: string): string {
  return `check_${name.replaceAll('-', '_')}`
}
