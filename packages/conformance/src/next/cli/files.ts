import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuseFile } from './errors.ts'

/**
 * Reads a file that a flag names.
 *
 * @throws {FileError} if it cannot be read.
 */
export function readText(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    return refuseFile(`${flag}: ${file} cannot be read (${code}); name a file that exists`)
  }
}

/** @throws {FileError} if the text is not JSON. */
export function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    return refuseFile(`${file} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Checks before a run that a file can be written, and creates its folder. The file itself is not opened, because it
 * may be a pipe.
 *
 * @throws {FileError} if it cannot be written.
 */
export function requireWritable(file: string, flag: string): void {
  tryWriting(file, flag, () => {
    if (!existsSync(file)) accessSync(dirname(file), constants.W_OK)
    else if (statSync(file).isDirectory()) throw new Error('it is a folder')
    else accessSync(file, constants.W_OK)
  })
}

/**
 * Writes a file that a flag names, and creates its folder.
 *
 * @throws {FileError} if it cannot be written.
 */
export function writeText(file: string, text: string, flag: string): void {
  tryWriting(file, flag, () => writeFileSync(file, text))
}

function tryWriting(file: string, flag: string, work: () => void): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    work()
  } catch (error) {
    refuseFile(`${flag}: ${file} cannot be written (${error instanceof Error ? error.message : error})`)
  }
}
