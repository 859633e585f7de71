import type { Law } from '../../engine/rule.ts'
import { below } from '../../model/document.ts'

/** The form that Standard Webhooks gives secrets. */
const SECRET = /whsec_[A-Za-z0-9+/]{20,}/

export const secretShownOnce: Law = {
  id: 'secret-shown-once',
  phase: 'every answer',
  atStake: true,
  title: 'The secret of a webhook is shown by the operations that make it, and by no other.',
  advice: 'Leave the secret out of this answer, and rotate what it has shown.',
  everyAnswer: ({ view, reply }, { document }) => {
    if (!view) return undefined
    if (!SECRET.test(reply.text)) return []
    const response = document.follow(below(view.pointer, 'responses', String(reply.status)))
    const declared = JSON.stringify(response.node)
    const names = [...declared.matchAll(/"\$ref":"#([^"]+)"/g)].map(
      ([, pointer = '']) => document.follow(pointer).node,
    )
    const isDeclared = [response.node, ...names].some((it) => JSON.stringify(it).includes('"secret"'))
    return isDeclared
      ? []
      : [
          {
            operation: view.id,
            contract: response.pointer,
            message: 'Expected no secret in this answer, got one.',
          },
        ]
  },
}
