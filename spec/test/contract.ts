import { readFileSync } from 'node:fs'
import { pointerOf, valueAt } from '@partner-payments/contract'
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
export function findErrors(
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

export function listOperations(root: Node, section: 'paths' | 'webhooks' = 'paths'): Operation[] {
  const operations: Operation[] = []
  for (const [template, item] of Object.entries(root[section] as Node)) {
    for (const [method, operation] of Object.entries(item as Node)) {
      if (!isNode(operation) || typeof operation.operationId !== 'string') continue
      operations.push({
        id: operation.operationId,
        call: `${method.toUpperCase()} ${template}`,
        place: `${pointerOf(`#/${section}`, template)}/${method}`,
        operation,
      })
    }
  }
  return operations
}

/** Resolves a reference inside a contract. */
export function resolved(value: unknown, root: Node = contract): Node {
  if (!isNode(value)) throw new TypeError(`no object of the contract: ${JSON.stringify(value)}`)
  if (typeof value.$ref !== 'string') return value
  return resolved(valueAt(root, value.$ref), root)
}

/** The examples of one body by their names. */
interface Body {
  /** `request`, or a status. */
  readonly of: string
  /** The pointer of its schema. */
  readonly place: string
  readonly examples: Readonly<Record<string, unknown>>
}

/** The named examples of every body of an operation: of the request and of each status. */
export function listBodies({ operation, place }: Operation, root: Node = contract): Body[] {
  const bodies = findBodies('request', operation.requestBody, `${place}/requestBody`, root)
  for (const [status, response] of Object.entries(operation.responses as Node))
    bodies.push(...findBodies(status, response, `${place}/responses/${status}`, root))
  return bodies
}

function findBodies(of: string, holder: unknown, place: string, root: Node): Body[] {
  if (!isNode(holder)) return []
  const origin = typeof holder.$ref === 'string' ? holder.$ref : place
  const content = (resolved(holder, root).content ?? {}) as Readonly<Record<string, Node>>
  return Object.entries(content).map(([type, media]) => ({
    of,
    place: `${pointerOf(`${origin}/content`, type)}/schema`,
    examples: listValues(media.examples as Node, root),
  }))
}

function listValues(examples: Node, root: Node): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(examples)) values[name] = resolved(item, root).value
  return values
}

/** The example of a component, by its name. */
export function example(name: string): Readonly<Record<string, unknown>> {
  return resolved((contract.components as Record<string, Node>).examples?.[name]).value as Node
}
