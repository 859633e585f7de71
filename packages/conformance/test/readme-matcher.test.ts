import '../src/vitest.ts'
import { expect, test } from 'vitest'

test('a webhook is deleted as the contract says', async () => {
  const answer = new Response(null, { status: 204 })
  await expect(answer).toConformTo('deleteWebhook', { strict: false })
})
