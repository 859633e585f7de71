import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLoopback, isPublic } from '../../src/deliveries/address.ts'
import { notPublic } from './urls.ts'

const noAddresses = [
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '8.8.8.8.',
  '8.8.8',
  ' 8.8.8.8',
  '[2400::1]',
  '2130706433',
  '2400::1%eth0',
  '2400::1%',
]

test.each([...notPublic, ...noAddresses])('%j is not public', (address) => {
  expect(isPublic(address)).toBe(false)
})

const justOutside = [
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '8.8.8.8',
  '192.31.195.255',
  '192.52.194.0',
  '192.175.49.0',
  '2001:200::',
  '2001:db7:ffff::',
  '2001:db9::',
  '2003::',
  '2606:4700:4700::1111',
  '2620:4f:7fff::1',
  '2620:4f:8001::',
  '3ffd:ffff::',
  '3fff:1000::',
  '2400::1',
]

test.each(justOutside)('%s is public', (address) => {
  expect(isPublic(address)).toBe(true)
})

test('no IPv6 address outside 2000::/3 is public', () => {
  const first = fc.integer({ min: 0, max: 0xffff }).filter((group) => group >> 13 !== 1)
  const rest = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 })
  fc.assert(
    fc.property(first, rest, (head, tail) => {
      const groups = [head, ...tail].map((group) => group.toString(16))
      expect(isPublic(groups.join(':'))).toBe(false)
    }),
  )
})

test('127.0.0.0/8 and ::1 are loopback, and nothing else is', () => {
  const loopback = ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']
  const others = [
    '126.255.255.255',
    '128.0.0.0',
    '0.0.0.0',
    '::',
    '::2',
    '::ffff:127.0.0.1',
    '::7f00:1',
    '::1%lo',
    '127.1',
  ]
  for (const address of loopback) expect(isLoopback(address), address).toBe(true)
  for (const address of [...others, '']) expect(isLoopback(address), address).toBe(false)
})
