import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { refuseFile } from './usage.ts'

/**
 * What is in a file that a flag names.
 *
 * @throws {FileError} where it cannot be read.
 */
export function readText(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return refuseFile(`${flag}: ${file} cannot be read (${codeOf(error)}); name a file that is there`)
  }
}

/**
 * Says of a file that a flag names that it cannot be written before anything is done for it. The folder that it is in is
 * made; the file is left alone, as it may be a pipe that somebody reads to its end.
 *
 * @throws {FileError} where it cannot be written.
 */
export function requireWritable(file: string, flag: string): void {
  trying(file, flag, () => {
    mkdirSync(dirname(file), { recursive: true })
    if (!existsSync(file)) accessSync(dirname(file), constants.W_OK)
    else if (statSync(file).isDirectory()) throw new Error('it is a folder')
    else accessSync(file, constants.W_OK)
  })
}

/**
 * Writes a file that a flag names, and the folder that it is in.
 *
 * @throws {FileError} where it cannot be written.
 */
export function writeText(file: string, text: string, flag: string): void {
  trying(file, flag, () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  })
}

function trying(file: string, flag: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    refuseFile(`${flag}: ${file} cannot be written (${error instanceof Error ? error.message : error})`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
