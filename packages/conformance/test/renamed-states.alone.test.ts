import { expect, test, vi } from 'vitest'

/** The contract with `ENABLED` as the first state of webhooks, in place of `active`. */
vi.mock('@partner-payments/spec/behaviour.json', async (importOriginal) => {
  const { default: declared } = await importOriginal<{ readonly default: object }>()
  const text = JSON.stringify(declared).replaceAll('"active"', '"ENABLED"')
  return { default: JSON.parse(text) }
})

// Imported after the contract is replaced.
const { findings, read, remove, webhook } = await import('./story.ts')

test('it finds a deleted webhook that is read, whatever the word for its first state is', () => {
  const story = [webhook, read(), remove({ acts: false }), read()]
  expect(findings(story)).toContain('records-gone@getWebhook')
})
