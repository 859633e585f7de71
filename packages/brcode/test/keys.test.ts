import { expect, test } from 'vitest'
import { crc16, isCnpj, isCpf, keyKind } from '../src/index.ts'
import { emvco } from './vectors.ts'

test('computes the checksum of the CRC catalogue and of non-ASCII text', () => {
  expect(crc16('123456789')).toBe(0x29b1)
  expect(crc16('')).toBe(0xffff)
  expect(crc16(emvco.slice(0, -4))).toBe(0xa13a)
})

test('determines the type of a key by its format', () => {
  expect(keyKind('12345678909')).toBe('CPF')
  expect(keyKind('00038166000105')).toBe('CNPJ')
  expect(keyKind('12ABC34501DE35')).toBe('CNPJ')
  expect(keyKind('+5561912345678')).toBe('PHONE')
  expect(keyKind('fulano_da_silva.recebedor@example.com')).toBe('EMAIL')
  expect(keyKind('a{b}@example.com')).toBe('EMAIL')
  expect(keyKind(`${'a'.repeat(65)}@example.com`)).toBe('EMAIL')
  expect(keyKind('123e4567-e12b-12d1-a456-426655440000')).toBe('EVP')
})

test.each([
  '',
  '1234567890',
  '123.456.789-09',
  '12abc34501de35',
  '12ABC34501DEAB',
  '5561912345678',
  '+05561912345678',
  '+55',
  'Fulano@example.com',
  'fulano@',
  'fulano@-example.com',
  'fulano@example..com',
  'ful%no@example.com',
  '123E4567-E12B-12D1-A456-426655440000',
  '123e4567e12b12d1a456426655440000',
  '12345678909\n',
  `${'a'.repeat(66)}@example.com`,
])('%j is not a key', (text) => {
  expect(keyKind(text)).toBeUndefined()
})

test('checks the digits of a CPF', () => {
  for (const cpf of ['12345678909', '52998224725', '11144477735']) expect(isCpf(cpf)).toBe(true)
  for (const no of ['12345678900', '11111111111', '1234567890', '123.456.789-09', '1234567890९'])
    expect(isCpf(no)).toBe(false)
})

test('checks the digits of a CNPJ, with letters or without', () => {
  for (const cnpj of ['12ABC34501DE35', '00038166000105', '00000000000191', '11222333000181'])
    expect(isCnpj(cnpj)).toBe(true)
  for (const no of ['12ABC34501DE36', '12abc34501de35', '00000000000000', '1122233300018', ''])
    expect(isCnpj(no)).toBe(false)
})

test('returns a result for any value', () => {
  const others: unknown[] = [
    '1'.repeat(5_000_000),
    null,
    undefined,
    12345678909,
    Symbol('x'),
    {},
    ['12345678909'],
    ['00038166000105'],
  ]
  // The cast simulates an untyped program.
  for (const other of others as string[]) {
    expect([isCpf(other), isCnpj(other), keyKind(other)]).toEqual([false, false, undefined])
  }
})

test('a changed character of a document never passes', () => {
  const cnpj = '00038166000105'
  for (let at = 0; at < cnpj.length; at++) {
    for (const digit of '0123456789') {
      const changed = cnpj.slice(0, at) + digit + cnpj.slice(at + 1)
      expect(isCnpj(changed)).toBe(changed === cnpj)
    }
  }
})
