import type { Law } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { withBase } from '../valid-requests.ts'

/** A kilobyte more than the limit. */
const TOO_MUCH = 'x'.repeat(66_560)

/** What a body has room for besides. */
const MUCH = 'x'.repeat(60_000)

export const bodyLimit: Law = {
  id: 'body-limit',
  phase: 'http',
  question: 'rate-limits',
  isOurs: true,
  title: 'A body of more than 64 KB is answered 413, and no other.',
  advice: 'Limit the body, and answer 413 with problem details.',
  run: (scene) =>
    withBase(scene, async (view, base) => {
      if (view.bodyPointer === undefined || !view.statuses.includes('413')) return
      const exchange = await scene.send(view, { ...base, body: { ...nodeOf(base.body), padding: TOO_MUCH } })
      const { status } = exchange.reply
      scene.expect(exchange, status === 413 ? undefined : `Expected 413 for a body of 65 KB, got ${status}.`)
      const input = (await scene.maker.refreshed(view, base, 'partner')) ?? base
      const most = await scene.send(view, { ...input, body: { ...nodeOf(input.body), padding: MUCH } })
      const message = `Expected a body of less than 64 KB not to be too large, got 413.`
      scene.expect(most, most.reply.status === 413 ? message : undefined, { about: 'less' })
    }),
}
