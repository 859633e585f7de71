import type { Law } from '../law.ts'
import { expectRefusal } from '../run/refusal.ts'

const NO_KEYS = ['not a key', 'Fulano@Example.com', '123', '+', '12345678901234567890', '11144477736']

export const keysChecked: Law = {
  id: 'keys-checked',
  phase: 'lifecycles',
  question: 'key-forms',
  needs: ['checkKey'],
  stateful: true,
  title: 'A text that is no payment key, or is the key of nobody, leads to no owner.',
  advice: 'Refuse a text of no form of key with 422, and answer 404 for a key that nobody has.',
  run: async (scene) => {
    const view = scene.contract.operation('checkKey')
    if (!(await scene.accepted(view.id))) return scene.masked()
    await scene.each([...NO_KEYS, 'nobody-has-this-key@example.com'], async (dict_key) => {
      const exchange = await scene.send(view, { body: { dict_key } })
      const message = 'Expected no owner for what is no key of anyone, got one.'
      expectRefusal(scene, exchange, message, { also: [404] })
    })
  },
}
