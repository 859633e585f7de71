import '../src/vitest.ts'
import { expect, test } from 'vitest'

test('a webhook is deleted as the contract says', async () => {
  const response = new Response(null, { status: 204 })
  await expect(response).toConformTo('deleteWebhook', { strict: false })
})
