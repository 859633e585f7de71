import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Contract, inline, isNode, type Node, operationsOf } from './contract.ts'
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
    const resource = Object.values(resources).find((it) =>
      Object.values(it.operations).includes(id),
    )
    const { create, list } = resource?.operations ?? {}
    const [, { links }] = successOf(operation)
    const linked = Object.values(isNode(links) ? links : {}).map(Object)
    // The lint holds links to operations, parameters and bodies that exist.
    const related = STEPS[id] && (id === 'createWebhook' ? 'createTransfer' : 'createWebhook')
    const next: Next[] = [
      ...linked.map((it) => ({
        id: it.operationId,
        carries: { ...it.parameters, ...it.requestBody },
      })),
      ...[list, related].filter((it) => it !== undefined).map((it) => ({ id: it })),
    ]
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
      examples: examplesIn(node.requestBody).map((it) => ({
        summary: it.summary,
        body: it.value as Node,
      })),
      /** Fields whose value no other record may have. */
      unique:
        create === id ? Object.keys(resource?.unique ?? {}).map((pointer) => pointer.slice(1)) : [],
      /** The operation whose response has the `id` or the `initiation_id` that this one needs. */
      source: create === 'createTransfer' ? 'checkKey' : create,
      /**
       * Operations to try after this one. A link to the next page of a list leads nowhere on the
       * last one.
       */
      next: next.filter(
        (it, index) => it.id !== id && next.findIndex((other) => other.id === it.id) === index,
      ),
      step: STEPS[id],
    }
  })
}
