import type { Behaviour } from '@partner-payments/spec/behaviour'
import { type Contract, inline, isNode, type Node, operationsOf } from './contract.ts'
import { fieldsOfOperation, successOf } from './fields.ts'
import { examplesIn } from './samples.ts'

/** What the page of the sandbox shows after an operation, by its tag. */
const STEPS: Readonly<Record<string, string>> = {
  transfers: 'See it settle, and its event arrive',
  qrcodes: 'See the code, pay it, and see its event arrive',
  webhooks: 'See the webhook, and what it receives',
}

/** An operation as the form "Try it" needs it. */
export type TryOperation = ReturnType<typeof tryOperations>[number]

/** The operations of the contract for the form "Try it", without the short paths. */
export function tryOperations(contract: Contract, { resources = {} }: Behaviour) {
  return operationsOf(inline(contract)).map((operation) => {
    const { path, method, node } = operation
    const { operationId: id, summary, 'x-effect': effect, tags } = node
    const resource = Object.values(resources).find((it) => Object.values(it.operations).includes(id))
    const { create, list } = resource?.operations ?? {}
    const [, { links }] = successOf(operation)
    const linked = Object.values(isNode(links) ? links : {}).map((link) => String(Object(link).operationId))
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
      examples: examplesIn(node.requestBody).map((it) => ({ summary: it.summary, body: it.value as Node })),
      /** Fields whose value no other record may have. */
      unique: create === id ? Object.keys(resource?.unique ?? {}).map((pointer) => pointer.slice(1)) : [],
      /** The operation whose response has the `id` or the `initiation_id` that this one needs. */
      source: create === 'createTransfer' ? 'checkKey' : create,
      /** Operations to try after this one. */
      next: [...new Set([...linked, list])].filter((it) => it && it !== id),
      step: STEPS[tags[0]],
    }
  })
}
