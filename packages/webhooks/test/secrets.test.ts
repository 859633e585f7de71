import { describe, expect, it } from 'vitest'
import { generateSecret, readSecrets } from '../src/index.ts'

const secret = generateSecret()
const other = generateSecret()

describe('the secrets of an environment variable', () => {
  it('are separated by spaces and line ends', () => {
    expect(readSecrets(secret)).toEqual([secret])
    expect(readSecrets(` ${secret}  ${other}\n`)).toEqual([secret, other])
  })

  it.each([
    { what: 'no variable', text: undefined, message: 'got none: set the variable' },
    { what: 'an empty variable', text: '', message: 'got none: set the variable' },
    { what: 'only spaces', text: ' \n', message: 'got none: set the variable' },
    { what: 'half a secret', text: secret.slice(0, 30), message: 'a secret must be the base64' },
    {
      what: 'a valid one beside another',
      text: `${secret} changeme`,
      message: 'a secret must be the base64',
    },
    {
      what: 'too many',
      text: Array.from({ length: 11 }, generateSecret).join(' '),
      message: 'expected 1 to 10 secrets, got 11',
    },
  ])('are refused when the receiver starts: $what', ({ text, message }) => {
    const refused = () => readSecrets(text)
    expect(refused).toThrow(message)
    expect(refused).toThrow(expect.objectContaining({ code: 'secret-invalid', status: 500 }))
    expect(refused).not.toThrow('changeme')
  })
})
