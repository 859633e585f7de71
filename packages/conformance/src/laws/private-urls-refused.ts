import { nodeOf } from '../contract/document.ts'
import { expectRefusal } from '../judging/refusal.ts'
import type { Law } from '../law.ts'
import { doStep, withRecords } from '../records/records.ts'
import { resourcesOf } from '../records/resources.ts'
import type { Scene } from '../run/scene.ts'

/** Addresses that a service reaches and its callers do not: of a machine of its own, and of what gives it its credentials. */
const PRIVATE = [
  ...['https://10.0.0.1/pix', 'https://192.168.1.10/pix', 'https://172.16.0.1/pix', 'https://[fd00::1]/pix'],
  ...[
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433.internal/pix',
    'https://0x0a000001/pix',
  ],
]
const PLAIN = 'http://loja.example/pix'

export const privateUrlsRefused: Law = {
  id: 'private-urls-refused',
  phase: 'lifecycles',
  question: 'webhook-url',
  isOurs: true,
  stateful: true,
  atStake: true,
  title: 'A webhook has no URL of http, and none inside of a private network, from its creation on.',
  advice:
    'Judge the host by its address, in every way of writing it, where a URL is given and where it is changed.',
  run: async (scene) => {
    const resources = resourcesOf(scene.contract).filter(({ create }) => nodeOf(create.examples[0]).url)
    await withRecords(scene, resources, async ({ create, update }, created) => {
      await scene.each([...PRIVATE, PLAIN], async (url) => {
        const input = scene.maker.withMembers(created.input, { '/url': url })
        refusedAt(scene, await scene.send(create, input), url)
        if (!update) return
        const body = { ...nodeOf(update.view.examples[0]), url }
        refusedAt(scene, await doStep(scene, update, created, { body }), url)
      })
    })
  },
}

function refusedAt(scene: Scene, exchange: Parameters<typeof expectRefusal>[1], url: string): void {
  expectRefusal(scene, exchange, `Expected ${url} to be refused, and it was taken.`, { about: url })
}
