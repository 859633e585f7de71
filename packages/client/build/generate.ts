import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { typesOf } from '@partner-payments/spec/build'
import { contract, type Operation, readOperations, register } from './contract.ts'
import { printFieldNames, printRules } from './fields.ts'
import { printFixtures, printHeaders } from './fixtures.ts'
import { comment, methodOf } from './methods.ts'
import { responseChecksModule } from './response-checks.ts'

const OUT = fileURLToPath(new URL('../src/generated/', import.meta.url))
const WEBHOOKS = fileURLToPath(
  new URL('../src/', import.meta.resolve('@partner-payments/webhooks')),
)
const HEADER = '// Generated from the contract by build/generate.ts.\n'

/** Replaced by the types of the hand-written flows. */
const OWN = new Set(['CheckCodeRequest', 'CheckKeyRequest', 'CodeCheck', 'KeyCheck'])

await generate()

/**
 * Writes `src/generated`: the contract's types and models, the table of operations, their methods,
 * the field names, the response checks, the examples and the webhooks.
 */
async function generate(): Promise<void> {
  const all = readOperations()
  const operations = all.filter(({ isAlias }) => !isAlias)
  const files = {
    operations: operationsTable(operations) + aliasesTable(all.filter(({ isAlias }) => isAlias)),
    resources: resourceTypes(operations),
    'error-codes': errorCodes(operations),
    models: models(all),
    'field-names': printFieldNames(),
    rules: printRules(),
    'response-checks': await responseChecksModule(contract),
    fixtures: printFixtures(),
    headers: printHeaders(),
  }
  await rm(OUT, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await writeFile(`${OUT}contract.ts`, await typesOf(contract, register))
  for (const [name, text] of Object.entries(files))
    await writeFile(`${OUT}${name}.ts`, HEADER + text)
  await copyWebhooks()
}

function operationsTable(operations: readonly Operation[]): string {
  const resources = Map.groupBy(operations, ({ resource }) => resource)
  const rows = [...resources].map(([resource, own]) => {
    return [resource, Object.fromEntries(own.map((it) => [it.verb, entryOf(it)]))]
  })
  return `
/** The operations by resource and verb. */
export const operations = ${JSON.stringify(Object.fromEntries(rows), undefined, 2)} as const
`
}

/** Separate, so that a bundle that calls nothing by path does not contain them. */
function aliasesTable(aliases: readonly Operation[]): string {
  return `
/** Other paths of the same operations. */
export const aliases = ${JSON.stringify(aliases.map(entryOf), undefined, 2)} as const
`
}

/** An operation as `src/operation.ts` describes it. */
function entryOf({ operationId, method, effect, status, takes, path, echoes }: Operation) {
  return { operationId, method, effect, status, takes, path, ...(echoes.length > 0 && { echoes }) }
}

/**
 * An interface per resource and a method per operation, with the documentation that editors show on
 * hover.
 */
function resourceTypes(operations: readonly Operation[]): string {
  const typeOf = (resource: string) => `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`
  const interfaces = contract.tags.map(({ name, description }) => {
    const own = operations.filter(({ resource }) => resource === name)
    return `${comment(description, '')}export interface ${typeOf(name)} {\n${own.map(methodOf).join('\n')}}\n`
  })
  // Editors show the description of a property, not that of its type.
  const properties = contract.tags.map(
    ({ name, description }) => `${comment(description)}  readonly ${name}: ${typeOf(name)}\n`,
  )
  const bodies = new Set(
    operations.flatMap(({ request, response }) => [request ?? '', response ?? '']),
  )
  const imported = [...bodies].filter((name) => name && !OWN.has(name)).sort()
  return `
import type { CallOptions } from '../options.ts'
import type { CheckedCode, CheckedKey } from '../payable.ts'
import type { Call, List, OnceCall } from '../result.ts'
import type { operations, ${imported.join(', ')} } from './contract.ts'
import type { ErrorCodes } from './error-codes.ts'

/** The operations of the contract by resource. */
export interface Resources {
${properties.join('')}}

${interfaces.join('\n')}`
}

function errorCodes(operations: readonly Operation[]): string {
  const rows = operations.map(({ operationId, errors }) => {
    const statuses = errors.map(
      ([status, codes]) => `    ${status}: ${codes.map((code) => `'${code}'`).join(' | ')}\n`,
    )
    return `  ${operationId}: {\n${statuses.join('')}  }\n`
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

/** Every schema by its name, and the bodies of each operation. */
function models(operations: readonly Operation[]): string {
  const names = Object.keys(contract.components.schemas).join(', ')
  const rows = operations.map(
    ({ operationId, request, response }) =>
      `  ${operationId}: { readonly request: ${request}; readonly response: ${response} }\n`,
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
    const own = text.replaceAll("'@partner-payments/spec'", "'../contract.ts'")
    await writeFile(`${OUT}webhooks/${file}`, own)
  }
}
