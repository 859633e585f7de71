import type { Rule } from '../../engine/rule.ts'
import { below } from '../../model/document.ts'

/** The form that Standard Webhooks gives secrets. */
const SECRET = /whsec_[A-Za-z0-9+/]{20,}/

export const secretShownOnce: Rule = {
  id: 'secret-shown-once',
  phase: 'responses',
  cites: 'contract',
  impact: 'high',
  title: 'The secret of a webhook is shown by the operations that make it, and by no other.',
  advice: 'Leave the secret out of this answer, and rotate what it has shown.',
  judgeResponse: ({ view, response }, { document }) => {
    if (!view) return undefined
    if (!SECRET.test(response.text)) return []
    const shown = document.follow(below(view.pointer, 'responses', String(response.status)))
    const declared = JSON.stringify(shown.node)
    const names = [...declared.matchAll(/"\$ref":"#([^"]+)"/g)].map(
      ([, pointer = '']) => document.follow(pointer).node,
    )
    const isDeclared = [shown.node, ...names].some((it) => JSON.stringify(it).includes('"secret"'))
    return isDeclared
      ? []
      : [
          {
            operation: view.id,
            contract: shown.pointer,
            message: 'Expected no secret in this answer, got one.',
          },
        ]
  },
}
