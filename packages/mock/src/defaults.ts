/** What holds without an option, for programs and on the command line. */
export const PORT = 4010
export const HOST = '127.0.0.1'
