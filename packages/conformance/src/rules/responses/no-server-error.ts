import type { Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import { freeTextsOf } from '../../generate/free-texts.ts'
import type { Json } from '../../generate/schema/index.ts'
import { nodeOf, withValueAt } from '../../model/document.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Input } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const noServerError: Law = {
  id: 'no-server-error',
  phase: 'every answer',
  title: 'No request makes the service fail with 5xx.',
  advice: 'Find the request id in the logs of the service, and handle what it shows.',
  everyAnswer: ({ view, reply }) =>
    reply.status >= 500
      ? [
          {
            operation: view?.id,
            contract: view?.pointer ?? '',
            message: `Expected the service to cope, got ${reply.status}.`,
            about: String(reply.status),
          },
        ]
      : [],
  // What no other law sends. The answers are judged as every answer is.
  run: (scene) =>
    withBase(scene, async (view, base) => {
      await scene.each(oddBodies(scene, view, base), async (body) => {
        const fresh = JSON.stringify(scene.maker.renewed(view, base.body, ''))
        await scene.send(view, base, { raw: { body: body(fresh) } })
      })
      for (const { name } of view.queryParameters)
        await scene.each(ODD, (value) =>
          scene.send(view, { ...base, query: { ...base.query, [name]: value } }).then(() => {}),
        )
    }),
}

/** Values of a parameter that end up in statements, in decoders and in numbers. */
const ODD = ["'", '\u0000', 'c_', '💰', '%', '9'.repeat(400)]

/** Members that parsers and stores trip over, none of which the contract mentions (RFC 8259, sections 6 and 8.2; 9). */
const MEMBERS = [
  `"x_deep": ${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  '"x_huge": 1e400',
  '"__proto__": {"toString": 1}, "constructor": null',
]

/** Texts that are no Unicode, and one that many stores refuse. */
const TEXTS = ['a\ud800', 'a\u0000b']

function oddBodies({ schemas }: Scene, view: OperationView, { body }: Input): ((json: string) => string)[] {
  if (view.bodyPointer === undefined) return []
  const example = view.examples.find((it) => nodeOf(it).type === nodeOf(body).type) ?? body
  const free = freeTextsOf(schemas, { pointer: view.bodyPointer, body: example as Json })
  const texts = free.length > 0 ? TEXTS : []
  return [
    ...MEMBERS.map((member) => (json: string) => json.replace(/\}$/, `, ${member}}`)),
    ...texts.map(
      (text) => (json: string) =>
        JSON.stringify(free.reduce((made, it) => withValueAt(made, it, text), JSON.parse(json))),
    ),
  ]
}
