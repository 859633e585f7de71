import { expect, test } from 'vitest'
import { formNotes } from '../../src/cli/outcome.ts'

const LEARNED = { question: 'qr-statuses', isGiven: false }

test('it quotes what a service chose in the options for the next run', () => {
  const notes = formNotes({
    form: [
      { ...LEARNED, name: 'staticQrCode/status/active', value: "it's $(open)" },
      { ...LEARNED, name: 'list/next', value: '/paging/after' },
      { ...LEARNED, name: 'signature', value: 'x-signature: sha256=hex' },
    ],
  })
  expect(notes.join()).toContain(
    `--set 'staticQrCode/status/active=it'\\''s $(open)' --set list/next=/paging/after --signature 'x-signature: sha256=hex'`,
  )
})
