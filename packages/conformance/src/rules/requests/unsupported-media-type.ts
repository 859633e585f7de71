import { isSuccess, type Scene } from '../../engine/context.ts'
import type { Law } from '../../engine/rule.ts'
import type { OperationView } from '../../model/operation-view.ts'
import type { Input } from '../../transport/exchange.ts'
import { withBase } from '../valid-requests.ts'

export const unsupportedMediaType: Law = {
  id: 'unsupported-media-type',
  phase: 'http',
  question: 'errors',
  title: 'A body of another media type than the contract declares is answered 415.',
  advice: 'Answer 415 before reading the body.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined) return
      for (const type of sameAs(view)) {
        const input = await fresh(scene, view, base)
        const named = await scene.send(view, input, { headers: { 'content-type': type } })
        if (isSuccess(named)) scene.held()
        else if (named.reply.status !== 415) scene.masked()
        else scene.expect(named, `Expected ${type} to be accepted, got 415.`, { about: 'charset' })
      }
      await scene.each(othersThan(scene, view), async (type) => {
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
function sameAs({ bodyType }: OperationView): string[] {
  const type = bare(bodyType)
  return [`${type}; charset=utf-8`, `${type.replace(/^a|json$/g, (it) => it.toUpperCase())};charset="UTF-8"`]
}

function bare(type: string): string {
  return type.split(';', 1)[0]?.trim() ?? ''
}

/** The body is not called anything. */
const NONE = 'a body of no type'

const OTHERS = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/vnd.api+json',
]

/** Types that are none of the declared ones, where the contract says that they are refused. */
function othersThan(scene: Scene, { bodyTypes, statuses }: OperationView): string[] {
  const isOurs = scene.contract.questions.has('errors')
  if (!isOurs && !statuses.includes('415')) return []
  const isTaken = (type: string) =>
    bodyTypes.some((it) => bare(it) === type || (it.endsWith('/*') && isIn(type, it)))
  const others = OTHERS.filter((type) => !isTaken(type))
  // A body that is not called anything may be looked at (RFC 9110, section 8.3).
  return isOurs ? [...others, NONE] : others
}

/** Whether a media type is of a range. */
function isIn(type: string, range: string): boolean {
  return range === '*/*' || type.startsWith(range.slice(0, -1))
}

async function fresh(scene: Scene, view: OperationView, base: Input): Promise<Input> {
  return (await scene.maker.refreshed(view, base, 'partner')) ?? base
}
