import { expect, test } from 'vitest'
import { sign, verify } from '../src/index.ts'

// The vector that the libraries of Standard Webhooks share (libraries/*/test, "sign function
// works").
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
const body = '{"test": 2432232314}'
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const now = () => 1614265330_000

const headers = {
  'webhook-id': id,
  'webhook-timestamp': '1614265330',
  'webhook-signature': signature,
}

test('signs the vector of the standard', async () => {
  expect(await sign(body, secret, { id, now })).toEqual(headers)
})

test('verifies the vector of the standard', async () => {
  expect(await verify(body, headers, secret, { now })).toEqual({ test: 2432232314 })
})

test('finds the signature among those of other keys and versions', async () => {
  const others = [
    'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
    'v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
    signature,
    'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
  ]
  const several = { ...headers, 'webhook-signature': others.join(' ') }
  expect(await verify(body, several, secret, { now })).toEqual({ test: 2432232314 })
})

test('reads the header of the standard with a v1 and a v1a, and refuses it without its secret', async () => {
  const example =
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=='
  const refused = verify(body, { ...headers, 'webhook-signature': example }, secret, { now })
  await expect(refused).rejects.toMatchObject({ code: 'signature-mismatch' })
})
