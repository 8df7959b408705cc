/** Talking to an agent on a terminal. */
export { type ChatEnd, type ChatOptions, type ChatSignal, runChat } from './chat.ts';
export { chatCommands, hear, helpLines, obey, pastLines, threadLines } from './commands.ts';
export * from './conversation.ts';
export { type FileWord, fileWords } from './file-words.ts';
export { type HistoryFile, openHistory } from './history-file.ts';
export { processTerminal, type Terminal } from './terminal.ts';
