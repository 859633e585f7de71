import type { Behaviour, Resource } from '@partner-payments/spec/behaviour'
import {
  type Contract,
  inline,
  isNode,
  type Node,
  type Operation,
  operationsOf,
} from './contract.ts'
import { fieldsOfOperation, successOf } from './fields.ts'
import { examplesIn } from './samples.ts'

/**
 * What the page of the sandbox shows after an operation that leads to events, by its id, and the
 * section of that page.
 */
const STEPS: Readonly<Record<string, { text: string; section: string }>> = {
  createTransfer: { text: 'See it settle', section: 'transfers' },
  createImmediateQrCode: { text: 'See the code, and pay it', section: 'qrcodes' },
  createDueDateQrCode: { text: 'See the code, and pay it', section: 'qrcodes' },
  createWebhook: { text: 'See what the webhook receives', section: 'webhooks' },
}

/**
 * A next operation, with the values that a link of the contract carries to it, as runtime
 * expressions by name.
 */
export interface Next {
  readonly id: string
  readonly carries?: Readonly<Record<string, string>>
}

/** An operation as the form "Try it" needs it. */
export type TryOperation = ReturnType<typeof tryOperations>[number]

/** The operations of the contract for the form "Try it", without the short paths. */
export function tryOperations(contract: Contract, { resources = {} }: Behaviour) {
  return operationsOf(inline(contract)).map((operation) => {
    const { path, method, node } = operation
    const { operationId: id, summary, 'x-effect': effect } = node
    const resource = Object.values(resources).find(({ operations }) =>
      Object.values(operations).includes(id),
    )
    const { create, list } = resource?.operations ?? {}
    return {
      id,
      summary,
      effect,
      path,
      method: method.toUpperCase(),
      parameters: fieldsOfOperation(operation).parameters.map(({ name, schema }) => ({
        name,
        example: String(schema.example),
      })),
      // The lint holds examples to their schemas, which are objects.
      examples: examplesIn(node.requestBody).map((example) => ({
        name: example.name,
        summary: example.summary,
        body: example.value as Node,
      })),
      /** Fields whose value no other record may have. */
      unique: create === id ? uniqueFields(resource) : [],
      /** The operation whose response has the `id` or the `initiation_id` that this one needs. */
      source: create === 'createTransfer' ? 'checkKey' : create,
      /** Operations to try after this one. */
      next: nextOf(operation, list),
      step: STEPS[id],
    }
  })
}

function uniqueFields(resource: Resource | undefined): string[] {
  return Object.keys(resource?.unique ?? {}).map((pointer) => pointer.slice(1))
}

/**
 * Each operation once: those of the links, the list of the resource, and one that leads to events.
 */
function nextOf(operation: Operation, list: string | undefined): Next[] {
  const { operationId: id } = operation.node
  const next = linkedOf(operation)
  if (list) next.push({ id: list })
  // An event needs both a transfer and a webhook.
  if (STEPS[id]) next.push({ id: id === 'createWebhook' ? 'createTransfer' : 'createWebhook' })

  // A link to the next page of a list leads nowhere on the last one.
  const others = next.filter((step) => step.id !== id)
  const ids = others.map((step) => step.id)
  return others.filter((step, index) => ids.indexOf(step.id) === index)
}

/** The lint holds links to operations, parameters and bodies that exist. */
function linkedOf(operation: Operation): Next[] {
  const [, { links }] = successOf(operation)
  return Object.values(isNode(links) ? links : {}).map((link) => {
    const { operationId, parameters, requestBody } = link as Link
    return { id: operationId, carries: { ...parameters, ...requestBody } }
  })
}

/** A link of the contract, whose values are runtime expressions. */
interface Link {
  readonly operationId: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: Readonly<Record<string, string>>
}
