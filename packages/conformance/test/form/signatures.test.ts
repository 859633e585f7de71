import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  describeGivenFault,
  describeScheme,
  describeSigned,
  findScheme,
  type GivenScheme,
  isSigned,
  parseScheme,
  type SignatureScheme,
} from '../../src/form/signatures.ts'
import type { RecordedDelivery } from '../../src/history.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const TEXT = '{"event":"pix.sent"}'
const TIME = '1780000000'

function delivery(headers: Readonly<Record<string, string>>): RecordedDelivery {
  return {
    type: 'delivery',
    completeAt: 1,
    url: 'http://127.0.0.1:1/',
    headers: { 'content-type': 'application/json', ...headers },
    text: TEXT,
    status: 204,
  }
}

const ofText = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', SECRET).update(text).digest(encoding)

test.each([
  {
    title: 'a prefix before hexadecimal digits',
    headers: { 'x-hub-signature-256': `sha256=${ofText(TEXT)}` },
    words: 'x-hub-signature-256: sha256=hex',
  },
  {
    title: 'base64 alone',
    headers: { 'x-signature': ofText(TEXT, 'base64') },
    words: 'x-signature: base64',
  },
  {
    title: 'a time in another header',
    headers: { 'x-time': TIME, 'x-signature': ofText(`${TIME}.${TEXT}`) },
    words: 'x-signature: hex',
  },
  {
    title: 'a time in the same header',
    headers: { 'x-signature': `t=${TIME},v1=${ofText(`${TIME}.${TEXT}`)}` },
    words: 'x-signature: v1=hex',
  },
  {
    title: 'a time in the same header and a colon after it',
    headers: { 'x-signature': `ts=${TIME};h1=${ofText(`${TIME}:${TEXT}`)}` },
    words: 'x-signature: h1=hex',
  },
  {
    title: 'a version and a time in another header',
    headers: { 'x-time': TIME, 'x-signature': `v0=${ofText(`v0:${TIME}:${TEXT}`)}` },
    words: 'x-signature: v0=hex',
  },
  {
    title: 'an id and a time of RFC 3339 without anything between them',
    headers: {
      'x-message-id': 'evt_1',
      'x-time': '2026-11-30T02:00:00.5Z',
      'x-signature': `sha256=${ofText(`evt_12026-11-30T02:00:00.5Z${TEXT}`)}`,
    },
    words: 'x-signature: sha256=hex',
  },
  {
    title: 'an id and a time',
    headers: {
      'x-event-id': 'evt_1',
      'x-time': TIME,
      'x-signature': ofText(`evt_1.${TIME}.${TEXT}`),
    },
    words: 'x-signature: hex',
  },
])('it finds a signature with $title', ({ headers, words }) => {
  const scheme = findScheme(delivery(headers), ['whsec_other', SECRET])
  expect(scheme && describeScheme(scheme)).toBe(words)
})

test.each(['x-signature: v1=hex', 'x-signature: t=TIME,v1=hex'])(
  'it verifies by the option %s with the time that stands in the same header',
  (text) => {
    const signed = delivery({ 'x-signature': `t=${TIME},v1=${ofText(`${TIME}.${TEXT}`)}` })
    const scheme = findScheme(signed, [SECRET], parseScheme(text))
    expect(scheme && describeSigned(scheme)).toBe(
      'HMAC with sha256 over TIME.BODY, with t= of x-signature as TIME',
    )

    const later = delivery({ 'x-signature': `t=1780000001,v1=${ofText(`1780000001.${TEXT}`)}` })
    expect(scheme && isSigned(later, SECRET, scheme)).toBe(true)
    const forged = delivery({ 'x-signature': `t=1780000001,v1=${ofText(`${TIME}.${TEXT}`)}` })
    expect(scheme && isSigned(forged, SECRET, scheme)).toBe(false)
  },
)

test.each([
  { title: 'the header', given: 'x-other: hex', fault: 'it has no header x-other' },
  {
    title: 'the prefix',
    given: 'x-signature: sha256=hex',
    fault:
      'x-signature has no part that begins with "sha256="; it has "t=" and 10 characters, "v1=" and 64 characters',
  },
  {
    title: 'the secret',
    given: 'x-signature: v1=hex',
    fault:
      'no secret of the webhook makes what x-signature has after "v1=" by any text that services sign (BODY, TIME.BODY, TIME:BODY, v0:TIME:BODY, ID.TIME.BODY, IDTIMEBODY)',
  },
])('it says that $title of a given scheme is another one', ({ given, fault }) => {
  const signed = delivery({ 'x-signature': `t=${TIME},v1=${ofText(`${TIME}/${TEXT}`)}` })
  const scheme = parseScheme(given) as GivenScheme
  expect(findScheme(signed, [SECRET], scheme)).toBeUndefined()
  expect(describeGivenFault(signed, scheme)).toBe(fault)
})

test('it finds no scheme in a delivery that is signed with the secret of nobody', () => {
  const signed = delivery({ 'x-signature': ofText(TEXT) })
  expect(findScheme(signed, ['whsec_other'])).toBeUndefined()
})

test('it verifies by a learned scheme with the secret that signed, and with no other', () => {
  const signed = delivery({ 'x-signature': ofText(TEXT) })
  const scheme = findScheme(signed, [SECRET]) as SignatureScheme
  expect(isSigned(signed, SECRET, scheme)).toBe(true)
  expect(isSigned(signed, 'whsec_other', scheme)).toBe(false)
  expect(isSigned({ ...signed, text: `${TEXT} ` }, SECRET, scheme)).toBe(false)
})

test.each(['x-signature: sha256=hex', 'x-signature: base64'])('it reads %s', (text) => {
  const scheme = parseScheme(text)
  expect(scheme && describeScheme(scheme)).toBe(text)
})

test.each(['x-signature', 'sha256=hex', 'x signature: hex', 'x-signature: md5'])(
  'it refuses %s',
  (text) => {
    expect(parseScheme(text)).toBeUndefined()
  },
)

test('it tries the first ten places of a time, each of which takes a hash', () => {
  const times = (count: number) =>
    Array.from({ length: count }, (_, i) => `t${i}=${1_780_000_000 + i}`).join()
  const sign = (index: number) => ofText(`${1_780_000_000 + index}.${TEXT}`)
  const tenth = delivery({ 'x-time': times(300), 'x-signature': sign(9) })
  expect(findScheme(tenth, [SECRET])?.time?.prefix).toBe('t9=')
  const later = delivery({ 'x-time': times(300), 'x-signature': sign(10) })
  expect(findScheme(later, [SECRET])).toBeUndefined()
})
