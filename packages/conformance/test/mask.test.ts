import { expect, test } from 'vitest'
import { createMask } from '../src/run/mask.ts'

function masked(secret: string, text: string): string {
  const mask = createMask()
  mask.add(secret, '$SECRET')
  return mask.text(text)
}

test('a secret is hidden wherever it stands', () => {
  expect(masked('hunter22', 'curl -u me:hunter22 {"note":"hunter22","x":["hunter22"]}')).toBe(
    'curl -u me:$SECRET {"note":"$SECRET","x":["$SECRET"]}',
  )
})

test('the name of a member is shown, though a secret reads the same', () => {
  expect(masked('client', '{"client":"client"}')).toBe('{"client":"$SECRET"}')
})

test('what is too short would hide words of every text', () => {
  expect(masked('pix', '/pix/key')).toBe('/pix/key')
})

test('secrets are hidden by the names of their members, and by their form', () => {
  expect(masked('hunter22', '{"refresh_token":"abc","webhook":"whsec_QUJD"}')).toBe(
    '{"refresh_token":"***","webhook":"whsec_***"}',
  )
})
