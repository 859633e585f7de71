import { isObject, readContract as readTable, valueAt } from '@partner-payments/contract'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import behaviour from '@partner-payments/spec/behaviour.json' with { type: 'json' }
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { CliError } from '../errors.ts'
import { requireString, type Tool } from './tool.ts'

const components: Readonly<Record<string, Readonly<Record<string, object>>>> = contract.components

/** The operations of the contract, without the short paths. */
export const { operations } = readTable({ document: contract, behaviour: behaviour as Behaviour })

/** Agents call without these fields. */
const NOT_NEEDED: ReadonlySet<string> = new Set([
  'examples',
  'discriminator', // each alternative of a schema has a `const` for what it names
])

/** Reads nodes as they are, since an agent can read the target of a reference next. */
export const readContract: Tool = {
  description:
    'Read the OpenAPI contract: an operation by its operationId, or a component by its name. References name components.',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  annotations: { readOnlyHint: true },
  /** Returns an operation or a component of the contract as JSON. */
  async call(args) {
    const name = requireString(args, 'name')
    const node = NODES.get(name)
    if (!node)
      throw new CliError(
        `"${name}" is no operation or component. There are ${[...NODES.keys()].join(', ')}.`,
      )
    return JSON.stringify(node)
  },
}

/** No two components have the same name, and none that of an operation. */
const NODES = new Map<string, object>()
for (const { id, path, item } of operations) NODES.set(id, { [path]: item })
for (const group of Object.values(components)) {
  for (const [name, component] of Object.entries(group)) NODES.set(name, component)
}

/**
 * A copy of a schema in which each `$ref` is replaced by its target, for an agent that cannot
 * follow it. Examples are left out. The contract has no recursive schema.
 */
export function withoutRefs<T>(value: T): T
export function withoutRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefs)
  if (!isObject(value)) return value

  const { $ref, ...besideRef } = value
  const copy: Record<string, unknown> = {}
  if (typeof $ref === 'string') Object.assign(copy, withoutRefs(valueAt(contract, $ref)))
  for (const [name, node] of Object.entries(besideRef)) {
    if (isNeeded(name)) copy[name] = withoutRefs(node)
  }
  return copy
}

/** Agents call without extensions, too. */
function isNeeded(name: string): boolean {
  return !name.startsWith('x-') && !NOT_NEEDED.has(name)
}
