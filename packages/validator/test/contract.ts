import { valueAt } from '@partner-payments/contract'
import bundled from '@partner-payments/spec/openapi.json' with { type: 'json' }
import {
  createValidator,
  type Finding,
  type ValidateOptions,
  type Validator,
} from '../src/index.ts'
import { isObjectOrArray, type ObjectOrArray, ownProperty } from '../src/json.ts'

export const contract: ObjectOrArray = bundled
export const JSON_HEADERS = { 'content-type': 'application/json' }

export function resolved(node: unknown): ObjectOrArray {
  const ref = ownProperty(node, '$ref')
  return typeof ref === 'string'
    ? resolved(valueAt(contract, ref.slice(1)))
    : (node as ObjectOrArray)
}

/** The values of the examples of a body, by name. */
export function listExamples(holder: unknown): { type: string; name: string; value: unknown }[] {
  const content = (resolved(holder).content ?? {}) as ObjectOrArray
  return Object.entries(content).flatMap(([type, media]) => {
    const examples = (ownProperty(media, 'examples') ?? {}) as ObjectOrArray
    return Object.entries(examples).map(([name, example]) => {
      return { type, name, value: resolved(example).value }
    })
  })
}

/** A copy of a component example by name. */
export function example(name: string): Record<string, unknown> {
  const { value } = resolved(valueAt(contract, `/components/examples/${name}`))
  return structuredClone(value) as Record<string, unknown>
}

/** A document with one operation, `POST /it`, with a body schema. */
export function createDocument(schema: unknown, components: object = {}): object {
  const requestBody = { content: { 'application/json': { schema } } }
  return { openapi: '3.1.0', paths: { '/it': { post: { requestBody } } }, components }
}

/** The findings of a body in such a document. */
export function listFindings(
  validator: Validator,
  body: unknown,
  options?: ValidateOptions,
): Finding[] {
  return validator.validateRequest(
    { method: 'POST', path: '/it', headers: JSON_HEADERS, body },
    options,
  )
}

/** The location and keyword of each finding. */
export function brief(findings: readonly Finding[]): string[] {
  return findings.map(({ place, pointer, keyword }) => `${place}${pointer} ${keyword}`)
}

/** A validator with an operation for every schema of the contract, `POST /Name`. */
export function bySchema(): { names: string[]; check: (name: string, body: unknown) => Finding[] } {
  const { schemas } = contract.components as { schemas: ObjectOrArray }
  const names = Object.keys(schemas)
  const paths = names.map((name) => {
    const schema = { $ref: `#/components/schemas/${name}` }
    return [`/${name}`, { post: { requestBody: { content: { 'application/json': { schema } } } } }]
  })
  const validator = createValidator({ ...contract, paths: Object.fromEntries(paths) })
  const check = (name: string, body: unknown) =>
    validator.validateRequest({ method: 'POST', path: `/${name}`, headers: JSON_HEADERS, body })
  return { names, check }
}

/** A value and all values inside it. */
export function deep(value: unknown): unknown[] {
  return isObjectOrArray(value) ? [value, ...Object.values(value).flatMap(deep)] : [value]
}
