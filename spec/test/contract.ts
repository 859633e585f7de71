import { readFileSync } from 'node:fs'
import { pointerOf, valueAt } from '@partner-payments/text'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isNode, type Node } from '../lint/marks.ts'

/** The built contract and helpers for its tests. */
export const contract: Node = read('openapi.json')
export const guide: Node = read('guide.json')
export const behaviour: Node = read('behaviour.json')

export function read(name: string): Node {
  return JSON.parse(readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8'))
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ ...contract }, 'openapi')
ajv.addSchema({ ...guide }, 'guide')

/** The errors of a value, by a schema of a contract. */
export function errorsAt(
  place: string,
  value: unknown,
  root: 'openapi' | 'guide' = 'openapi',
): string[] {
  const validate = ajv.compile({ $ref: `${root}${place}` })
  validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`,
  )
}

export interface Operation {
  readonly id: string
  readonly call: string
  readonly place: string
  readonly operation: Node
}

export function operationsOf(root: Node, section: 'paths' | 'webhooks' = 'paths'): Operation[] {
  return Object.entries(root[section] as Node).flatMap(([template, item]) =>
    Object.entries(item as Node).flatMap(([method, operation]) =>
      isNode(operation) && typeof operation.operationId === 'string'
        ? [
            {
              id: operation.operationId,
              call: `${method.toUpperCase()} ${template}`,
              place: `${pointerOf(`#/${section}`, template)}/${method}`,
              operation,
            },
          ]
        : [],
    ),
  )
}

/** Resolves a reference inside a contract. */
export function resolved(value: unknown, root: Node = contract): Node {
  if (!isNode(value)) throw new TypeError(`no object of the contract: ${JSON.stringify(value)}`)
  if (typeof value.$ref !== 'string') return value
  return resolved(valueAt(root, value.$ref), root)
}

/** The named examples of every body of an operation: of the request and of each status. */
export function bodiesOf({ operation, place }: Operation, root: Node = contract) {
  const bodies: Array<{ of: string; place: string; examples: Readonly<Record<string, unknown>> }> =
    []
  const responses = Object.entries(operation.responses as Node)
  for (const [of, holder] of [['request', operation.requestBody], ...responses] as const) {
    if (!isNode(holder)) continue
    const step = of === 'request' ? 'requestBody' : `responses/${of}`
    const origin = typeof holder.$ref === 'string' ? holder.$ref : `${place}/${step}`
    for (const [type, media] of Object.entries((resolved(holder, root).content as Node) ?? {})) {
      const examples = Object.entries((media as Node).examples as Node)
      const values = examples.map(
        ([name, example]) => [name, resolved(example, root).value] as const,
      )
      const schema = `${pointerOf(`${origin}/content`, type)}/schema`
      bodies.push({ of, place: schema, examples: Object.fromEntries(values) })
    }
  }
  return bodies
}

/** The example of a component, by its name. */
export function example(name: string): Readonly<Record<string, unknown>> {
  return resolved((contract.components as Record<string, Node>).examples?.[name]).value as Node
}
