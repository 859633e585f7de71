import { crc16 } from '../src/index.ts'

// Manual de Padrões para Iniciação do Pix 2.10.0, 2.6.3 and 2.7.2, without their checksums.
const STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***'
const DYNAMIC =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***'

const key = (text: string) => account(object('01', text))
const location = (text: string) => account(object('25', text))
const saying = (from: string, to: string) => seal(STATIC.replace(from, to))

/** Codes that every decoder should refuse, with the error. The checksum is valid unless it is the error. */
export const malformed: readonly (readonly [fault: string, code: string])[] = [
  ['checksum of another code', `${STATIC}630464E4`],
  ['no checksum', STATIC],
  ['checksum inside another object', STATIC.replace('62070503***', `62150511${seal('abc').slice(3)}`)],
  ['something after the checksum', `${seal(STATIC)}6103ABC`],
  ['00 is 02', saying('000201', '000202')],
  ['00 in second place', saying('0002012658', '010211000201265800').replace('265800', '2658')],
  ['00 absent', seal(STATIC.slice(6))],
  ['52 absent', saying('52040000', '')],
  ['53 absent', saying('5303986', '')],
  ['another currency', saying('5303986', '5303840')],
  ['58 absent', saying('5802BR', '')],
  ['another country', saying('5802BR', '5802AR')],
  ['59 absent', saying('5913Fulano de Tal', '')],
  ['59 twice', saying('6008BRASILIA', '6008BRASILIA5905Outro')],
  ['60 absent', saying('6008BRASILIA', '')],
  ['60 empty', saying('6008BRASILIA', '6000')],
  ['62 absent', saying('62070503***', '')],
  ['62-05 empty', saying('62070503***', '62040500')],
  ['01 is 13', saying('000201', '000201010213')],
  ['amount with a comma', saying('5802BR', '54041,505802BR')],
  ['amount with three decimals', saying('5802BR', '54051.2345802BR')],
  ['amount below zero', saying('5802BR', '5405-1.005802BR')],
  ['template of another arrangement', saying('0014br.gov.bcb.pix', '0014br.gov.bcb.spi')],
  ['two templates of Pix', saying('5204', '27330014br.gov.bcb.pix0111123456789095204')],
  ['template length of three digits', saying('2658', '26058')],
  ['template length of two digits that are not', saying('2658', '26-8')],
  ['object that runs past the end of its template', saying('0136123e', '0137123e')],
  ['key and location', seal(replaceAccount(object('01', 'a@b.com') + object('25', 'pix.example.com/x')))],
  ['neither key nor location', seal(replaceAccount(object('02', 'oi')))],
  ['key without a DICT format', key('fulano')],
  ['phone without +', key('5561912345678')],
  ['location with a scheme', location('https://pix.example.com/8b3da2f39a41')],
  ['location with a space', location('pix.example.com/8b3da 2f39a41')],
  [
    'withdrawal beside a location',
    seal(DYNAMIC.replace(/^(.*)2670(.{70})/, (_, head, parts) => `${head}2682${parts}030812345678`)),
  ],
  ['withdrawal with an ISPB of seven', account(object('01', '12345678909') + object('03', '1234567'))],
  [
    'more than 512 bytes',
    seal(STATIC + [81, 82, 83, 84].map((id) => object(`${id}`, object('00', 'x'.repeat(95)))).join('')),
  ],
]

function seal(body: string): string {
  return `${body}6304${crc16(`${body}6304`).toString(16).toUpperCase().padStart(4, '0')}`
}

function account(parts: string): string {
  return seal(replaceAccount(parts))
}

function replaceAccount(parts: string): string {
  return STATIC.replace(/2658.{58}/, object('26', object('00', 'br.gov.bcb.pix') + parts))
}

function object(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value
}
