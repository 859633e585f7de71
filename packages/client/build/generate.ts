import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { typesOf } from '@partner-payments/spec/build'
import {
  type Node,
  type Operation,
  readContract,
  readOperations,
  readRegister,
  readTags,
  type Tag,
} from './contract.ts'
import { type FieldNames, readFieldNames } from './field-names.ts'
import { type Contract, printFixtures, printHeaders } from './fixtures.ts'
import { comment, methodOf } from './methods.ts'
import { type Bundle, responseChecksModule } from './response-checks.ts'
import { rulesByName } from './rules.ts'

const OUT = fileURLToPath(new URL('../src/generated/', import.meta.url))
const WEBHOOKS = fileURLToPath(new URL('../src/', import.meta.resolve('@partner-payments/webhooks')))
const HEADER = '// Generated from the contract by build/cli.ts.\n'

/**
 * Writes `src/generated`: the contract's types and models, the table of operations, their methods, the field names, the
 * response checks, the examples and the webhooks.
 */
export async function generate(): Promise<void> {
  const [aliases, operations] = split(await readOperations())
  const contract = await readContract<Contract & Bundle & Node>()
  await rm(OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await writeFile(`${OUT}contract.ts`, await typesOf(contract, await readRegister()))
  await writeFile(`${OUT}operations.ts`, HEADER + operationsTable(operations) + aliasesTable(aliases))
  await writeFile(`${OUT}resources.ts`, HEADER + resourceTypes(operations, await readTags()))
  await writeFile(`${OUT}error-codes.ts`, HEADER + errorCodes(operations))
  await writeFile(`${OUT}models.ts`, HEADER + models(contract, [...operations, ...aliases]))
  await writeFile(`${OUT}field-names.ts`, HEADER + fieldNamesModule(await readFieldNames()))
  await writeFile(`${OUT}rules.ts`, HEADER + rulesByName(contract))
  await writeFile(`${OUT}response-checks.ts`, HEADER + (await responseChecksModule(contract)))
  await writeFile(`${OUT}fixtures.ts`, HEADER + printFixtures(contract))
  await writeFile(`${OUT}headers.ts`, HEADER + printHeaders(contract))
  await copyWebhooks()
}

function split(all: readonly Operation[]): [aliases: Operation[], others: Operation[]] {
  return [all.filter((it) => it.aliasOf), all.filter((it) => !it.aliasOf)]
}

/** One string per operation, to keep bundles small. */
function operationsTable(operations: readonly Operation[]): string {
  const resources = byResource(operations).map(
    ([resource, operations]) =>
      `  ${resource}: {\n${operations.map((it) => `    ${it.verb}: '${row(it)}',\n`).join('')}  },\n`,
  )
  return `
/** operationId, method, effect, status of success, kind of input, path, where a success repeats the request. */
export const operations = {
${resources.join('')}} as const
`
}

function row({ operationId, method, effect, status, request, hasQuery, path, echoes }: Operation): string {
  const input = request ? 'body' : hasQuery ? 'query' : '-'
  const shown = echoes.map(([from, to]) => (from === to ? from : `${from}=${to}`)).join()
  return [operationId, method, effect, status, input, path, shown].join(' ').trim()
}

/** Separate, so that a bundle that calls nothing by path does not contain them. */
function aliasesTable(aliases: readonly Operation[]): string {
  return `
/** Other paths of the same operations, in the same form. */
export const aliases = [
${aliases.map((it) => `  '${row(it)}',\n`).join('')}] as const
`
}

/** An interface per resource and a method per operation, with the documentation that editors show on hover. */
function resourceTypes(operations: readonly Operation[], tags: readonly Tag[]): string {
  const methods = tags.map(({ name, description }) => {
    const own = operations.filter(({ resource }) => resource === name)
    return `${comment(description, '')}export interface ${typeOf(name)} {\n${own.map(methodOf).join('\n')}}\n`
  })
  // Editors show the description of a property, not that of its type.
  const properties = tags.map(
    ({ name, description }) => `${comment(description)}  readonly ${name}: ${typeOf(name)}\n`,
  )
  const schemaNames = operations.flatMap(({ request, response }) => [request, response])
  const imported = new Set(schemaNames.filter((name) => name !== undefined && !OWN.has(name)))
  return `
import type { CallOptions } from '../options.ts'
import type { CheckedCode, CheckedKey } from '../payable.ts'
import type { Call, List, OnceCall } from '../result.ts'
import type { operations, ${[...imported].sort().join(', ')} } from './contract.ts'
import type { ErrorCodes } from './error-codes.ts'

/** The operations of the contract by resource. */
export interface Resources {
${properties.join('')}}

${methods.join('\n')}`
}

function errorCodes(operations: readonly Operation[]): string {
  const rows = operations.map(({ operationId, errors }) => {
    const statuses = Object.entries(errors).map(
      ([status, codes]) => `    ${status}: ${codes.map((code) => `'${code}'`).join(' | ')}\n`,
    )
    return `  ${operationId}: {\n${statuses.join('')}  }\n`
  })
  return `
/**
 * The error codes that the contract declares for each operation, by status. The service may send others.
 */
export interface ErrorCodes {
${rows.join('')}}
`
}

/** Every schema by its name, and the bodies of each operation. */
function models({ components }: Bundle, operations: readonly Operation[]): string {
  const names = Object.keys(components.schemas)
  const rows = operations.map(
    ({ operationId, request, response }) =>
      `  ${operationId}: { readonly request: ${request}; readonly response: ${response} }\n`,
  )
  const used = new Set(operations.flatMap(({ request, response }) => [request, response]))
  return `
import type { ${names.filter((name) => used.has(name)).join(', ')} } from './contract.ts'

export type {
${names.map((name) => `  ${name},\n`).join('')}} from './contract.ts'

/** The bodies of the request and of the success of each operation. */
export interface Operations {
${rows.join('')}}
`
}

function typeOf(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
}

/** Replaced by the types of the hand-written flows. */
const OWN = new Set(['CheckCodeRequest', 'CheckKeyRequest', 'CodeCheck', 'KeyCheck'])

function byResource(operations: readonly Operation[]): [string, Operation[]][] {
  return [...Map.groupBy(operations, ({ resource }) => resource)]
}

function fieldNamesModule({ names, nesting }: FieldNames): string {
  return `
/** The names of all fields of bodies and queries. */
export const fieldNames = /* @__PURE__ */ new Set(${JSON.stringify(names)})

/** The names of fields that contain declared fields. */
export const nestingFields = /* @__PURE__ */ new Set(${JSON.stringify(nesting)})
`
}

/** Copies the webhooks package, so that a receiver needs no other package. */
async function copyWebhooks(): Promise<void> {
  await mkdir(`${OUT}webhooks`)
  for (const file of await readdir(WEBHOOKS)) {
    const text = await readFile(`${WEBHOOKS}${file}`, 'utf8')
    const own = text.replaceAll("'@partner-payments/spec'", "'../contract.ts'")
    await writeFile(`${OUT}webhooks/${file}`, own)
  }
}
