import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Operation, schemasAt } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import { writeTypes } from '@partner-payments/spec/build'
import {
  operations as allOperations,
  chooseInput,
  contract,
  listAmounts,
  listEchoes,
  listErrors,
  listStatuses,
  mayBeEmpty,
  register,
} from './contract.ts'
import { printFieldNames, printRules } from './fields.ts'
import { printFixtures, printHeaders } from './fixtures.ts'
import { comment, listSchemas, writeMethod } from './methods.ts'
import { responseChecksModule } from './response-checks.ts'
import { printTokenLifetime } from './token-lifetime.ts'

const OUT = fileURLToPath(new URL('../src/generated/', import.meta.url))
const WEBHOOKS = fileURLToPath(
  new URL('../src/', import.meta.resolve('@partner-payments/webhooks')),
)
const HEADER = '// Generated from the contract by build/generate.ts.\n'

await generate()

/**
 * Writes `src/generated`: the contract's types and models, the table of operations, their methods,
 * the field names, the response checks, the examples and the webhooks.
 */
async function generate(): Promise<void> {
  const operations = allOperations.filter(({ aliasOf }) => aliasOf === undefined)
  const aliases = allOperations.filter(({ aliasOf }) => aliasOf !== undefined)
  const files = {
    operations: operationsTable(operations) + aliasesTable(aliases),
    resources: resourceTypes(operations),
    'error-codes': errorCodes(operations),
    models: models(allOperations),
    'field-names': printFieldNames(),
    rules: printRules(),
    'unpaid-codes': printUnpaidCodes(operations),
    'token-lifetime': printTokenLifetime(behaviour as Behaviour),
    'response-checks': await responseChecksModule(),
    fixtures: printFixtures(),
    headers: printHeaders(),
    version: versionModule(),
  }
  await rm(OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await writeFile(`${OUT}contract.ts`, await writeTypes(contract, register))
  for (const [name, text] of Object.entries(files)) {
    await writeFile(`${OUT}${name}.ts`, HEADER + text)
  }
  await copyWebhooks()
}

/** All packages have the version of the contract. */
function versionModule(): string {
  return `
/** The version of the contract and of this package. */
export const version = ${JSON.stringify(contract.info.version)}
`
}

function operationsTable(operations: readonly Operation[]): string {
  const table: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const { tag, name } = operation
    const rows = table[tag] ?? {}
    table[tag] = { ...rows, [name]: createEntry(operation) }
  }
  return `
/** The operations by resource and name. */
export const operations = ${JSON.stringify(table, undefined, 2)} as const
`
}

/** Separate, so that a bundle that calls nothing by path does not contain them. */
function aliasesTable(aliases: readonly Operation[]): string {
  return `
/** Other paths of the same operations. */
export const aliases = ${JSON.stringify(aliases.map(createEntry), undefined, 2)} as const
`
}

/** An operation as `src/operation.ts` describes it. */
function createEntry(operation: Operation) {
  const { id, method, effect, status, path, essential, isPaged, deprecation } = operation
  return {
    operationId: id,
    method,
    effect,
    status,
    takes: chooseInput(operation),
    path,
    // JSON leaves `undefined` out.
    isPaged: isPaged || undefined,
    isDeprecated: deprecation !== undefined || undefined,
    echoes: undefinedIfEmpty(listEchoes(operation)),
    statuses: undefinedIfEmpty(listStatuses(operation)),
    essential: essential.length > 0 ? listEssentialTypes(operation) : undefined,
    amounts: undefinedIfEmpty(listAmounts(operation)),
    mayBeEmpty: mayBeEmpty(operation) || undefined,
  }
}

/** The type of each essential field, by its pointer: `{ '/id': 'string' }`. */
function listEssentialTypes({ id, essential, document, success }: Operation) {
  const types: Record<string, string> = {}
  for (const pointer of essential) {
    const schemas = schemasAt(document, success.body?.schema, pointer)
    const type = schemas.find((schema) => schema.type !== undefined)?.type
    if (typeof type !== 'string') throw new Error(`${id}: ${pointer} must have one type`)
    types[pointer] = type
  }
  return types
}

/** JSON leaves `undefined` out. */
function undefinedIfEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined
}

/**
 * The codes of a refused payment that say nothing about an earlier one. Those of a 409 do:
 * something was used or paid before.
 */
function printUnpaidCodes(operations: readonly Operation[]): string {
  const payment = operations.find(({ id }) => id === 'createTransfer')
  if (!payment) throw new Error('the contract has no operation createTransfer')

  const codes: string[] = []
  for (const [status, codesOfStatus] of listErrors(payment)) {
    const isRefusal = status < 500
    if (isRefusal && status !== 409) codes.push(...codesOfStatus)
  }
  return `
/** The codes of a refused payment that prove that nothing was paid, also not by an earlier one. */
export const unpaidCodes: ReadonlySet<string> = /* @__PURE__ */ new Set(${JSON.stringify(codes.sort())})
`
}

/**
 * An interface per resource and a method per operation, with the documentation that editors show on
 * hover.
 */
function resourceTypes(operations: readonly Operation[]): string {
  const interfaces = contract.tags.map(({ name, description }) => {
    const operationsOfResource = operations.filter(({ tag }) => tag === name)
    const methods = operationsOfResource.map(writeMethod).join('\n')
    return `${comment(description, '')}export interface ${typeName(name)} {\n${methods}}\n`
  })
  // Editors show the description of a property, not that of its type.
  const properties = contract.tags.map(
    ({ name, description }) => `${comment(description)}  readonly ${name}: ${typeName(name)}\n`,
  )
  const imported = new Set(operations.flatMap(listSchemas))
  return `
import type { CallOptions } from '../options.ts'
import type { CheckedCode, CheckedKey } from '../payable.ts'
import type { Call, List, OnceCall } from '../result.ts'
import type { operations, ${[...imported].sort().join(', ')} } from './contract.ts'
import type { ErrorCodes } from './error-codes.ts'

/** The operations of the contract by resource. */
export interface Resources {
${properties.join('')}}

${interfaces.join('\n')}`
}

/** `Users` for `users`. */
function typeName(resource: string): string {
  return resource.charAt(0).toUpperCase() + resource.slice(1)
}

function errorCodes(operations: readonly Operation[]): string {
  const rows = operations.map((operation) => {
    const errors = listErrors(operation)
    const statuses = errors.map(([status, codes]) => `    ${status}: ${writeUnion(codes)}\n`)
    return `  ${operation.id}: {\n${statuses.join('')}  }\n`
  })
  return `
/**
 * The error codes that the contract declares for each operation, by status. The service may send
 * others.
 */
export interface ErrorCodes {
${rows.join('')}}
`
}

function writeUnion(codes: readonly string[]): string {
  return codes.map((code) => `'${code}'`).join(' | ')
}

/** Every schema by its name, and the bodies of each operation. */
function models(operations: readonly Operation[]): string {
  const names = Object.keys(contract.components.schemas).join(', ')
  const rows = operations.map(
    ({ id, request, success }) =>
      `  ${id}: { readonly request: ${request?.name}; readonly response: ${success.body?.name} }\n`,
  )
  return `
import type { ${names} } from './contract.ts'

export type { ${names} }

/** The bodies of the request and of the success of each operation. */
export interface Operations {
${rows.join('')}}
`
}

/** Copies the webhooks package, so that a receiver needs no other package. */
async function copyWebhooks(): Promise<void> {
  await mkdir(`${OUT}webhooks`)
  for (const file of await readdir(WEBHOOKS)) {
    const text = await readFile(`${WEBHOOKS}${file}`, 'utf8')
    const withoutSpec = text.replaceAll("'@partner-payments/spec'", "'../contract.ts'")
    await writeFile(`${OUT}webhooks/${file}`, withoutSpec)
  }
}
