import type { Law } from '../law.ts'
import { withBase } from '../run/bases.ts'
import { below, nodeOf } from '../run/document.ts'
import type { Input } from '../run/exchange.ts'
import type { OperationView } from '../run/operation-view.ts'
import { isSuccess, type Scene } from '../run/scene.ts'

export const unsupportedMediaType: Law = {
  id: 'unsupported-media-type',
  phase: 'http',
  question: 'errors',
  title: 'A body of another media type than the contract declares is answered 415.',
  advice: 'Answer 415 before reading the body.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      const declared = declaredIn(scene, view)
      for (const type of declared.has(JSON_TYPE) ? SAME : []) {
        const input = await fresh(scene, view, base)
        const named = await scene.send(view, input, { headers: { 'content-type': type } })
        if (isSuccess(named)) scene.held()
        else if (named.reply.status !== 415) scene.masked()
        else scene.expect(named, `Expected ${type} to be accepted, got 415.`, { about: 'charset' })
      }
      await scene.each(othersThan(scene, view, declared), async (type) => {
        const named = type === NONE ? { without: ['content-type'] } : { headers: { 'content-type': type } }
        const exchange = await scene.send(view, base, named)
        const { status } = exchange.reply
        scene.expect(exchange, status === 415 ? undefined : `Expected 415 for ${type}, got ${status}.`, {
          about: String(status),
        })
      })
    }),
}

/** A parameter, a space and capitals do not make it another media type (RFC 9110, section 8.3.1). */
const SAME = ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']

/** The body is not called anything. */
const NONE = 'a body of no type'

const OTHERS = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/vnd.api+json',
]

const JSON_TYPE = 'application/json'

/** The media types, or ranges of them, that a contract declares for a body, in small letters. */
function declaredIn({ contract: { document } }: Scene, { pointer }: OperationView): Set<string> {
  const body = document.follow(below(pointer, 'requestBody')).node
  return new Set(Object.keys(nodeOf(body.content)).map((it) => bareType(it)))
}

/** Types that are none of the declared ones, where the contract says that they are refused. */
function othersThan(scene: Scene, { statuses }: OperationView, declared: ReadonlySet<string>): string[] {
  const isOurs = scene.contract.questions.has('errors')
  if (!isOurs && !statuses.includes('415')) return []
  const others = OTHERS.filter((it) => ![it, `${it.split('/')[0]}/*`, '*/*'].some((one) => declared.has(one)))
  // A body that is not called anything may be looked at (RFC 9110, section 8.3).
  return isOurs ? [...others, NONE] : others
}

function bareType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

async function fresh(scene: Scene, view: OperationView, base: Input): Promise<Input> {
  return (await scene.maker.refreshed(view, base, 'partner')) ?? base
}
