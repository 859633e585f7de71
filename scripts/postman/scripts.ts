import { type Operation, stepsOf } from '@partner-payments/contract'
import type { Chained } from './chained.ts'

/** The scripts that Postman runs before and after a request. */

/**
 * Skips a request whose variables an earlier one did not set: sent alone, it would send an empty
 * value.
 */
export function createGuard(sentVariables: ReadonlyMap<string, string>): object[] {
  const variables = [...new Set(sentVariables.values())]
  if (variables.length === 0) return []
  return [
    createScript('prerequest', [
      `const missing = ${JSON.stringify(variables)}.filter((name) => !pm.variables.get(name))`,
      `if (missing.length > 0) {`,
      `  console.error('not sent: an earlier request must set ' + missing.join(', '))`,
      `  pm.execution.skipRequest()`,
      `}`,
    ]),
  ]
}

/**
 * The lines of the script that runs after a request: it tests the status and the body, apart for
 * facts and assumptions, and stores values for later requests.
 */
export function writeAssertions(
  step: Operation,
  chained: readonly Chained[],
  shownBodies: ReadonlyMap<string, object>,
): string[] {
  const { id, success } = step
  const { status } = success
  const lines = [
    `pm.test('fact: has the status ${status}', () => pm.response.to.have.status(${status}))`,
  ]

  const shownSchema = shownBodies.get(id)
  if (shownSchema) lines.push(schemaTest('fact: has what the document shows', shownSchema))

  const schema = success.body?.schema
  if (schema) lines.push(schemaTest('assumption: matches the schema of the contract', schema))

  lines.push(...writeStoring(step, status, chained))
  return lines
}

function schemaTest(name: string, schema: object): string {
  return `pm.test('${name}', () => pm.response.to.have.jsonSchema(${JSON.stringify(schema)}))`
}

/**
 * The lines of a script that store the values which later requests send. If the response lacks one,
 * the run stops.
 */
function writeStoring(
  { id, scheme }: Operation,
  status: string,
  chained: readonly Chained[],
): string[] {
  const values: string[] = []
  for (const { from, variable, pointer } of chained)
    if (from === id) values.push(writeField(variable, pointer))
  if (scheme === 'basic') values.push(writeField('access_token', '/access_token'))
  if (values.length === 0) return []

  return [
    `let body`,
    `try { body = pm.response.json() } catch {}`,
    `if (pm.response.code !== ${status}) body = undefined`,
    `const values = {`,
    ...values,
    `}`,
    `for (const [name, value] of Object.entries(values)) {`,
    `  pm.collectionVariables.set(name, value ?? '')`,
    `  if (value === undefined || value === null || value === '') {`,
    `    console.error('the run stops: the response has no ' + name)`,
    `    pm.execution.setNextRequest(null)`,
    `  }`,
    `}`,
  ]
}

/** The field of `values` that has the value of the response at a pointer. */
function writeField(variable: string, pointer: string): string {
  const steps = stepsOf(pointer).map((key) => `?.[${JSON.stringify(key)}]`)
  return `  ${JSON.stringify(variable)}: body${steps.join('')},`
}

/** A script as Postman has it in a collection. */
export function createScript(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } }
}
