import { expect, test } from 'vitest'
import { currentSource, fromAddress, sourceOf } from '../../src/operation/source.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:0:0:ffff::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['/run/socket', '/run/socket'],
])('it takes %s for %s', (address, source) => {
  expect(sourceOf(address)).toBe(source)
})

test('it treats a request without a connection as coming from the process', () => {
  expect(currentSource()).toBe('this process')
  expect(fromAddress('192.0.2.1', currentSource)).toBe('192.0.2.1')
  expect(currentSource()).toBe('this process')
})
