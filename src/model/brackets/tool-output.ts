/** What a tool gave back, as the text of a result block and the files that go with it. */
import type { FilePart, OutputPart, ToolOutput, Warning } from './sdk.ts';

export interface OutputText {
  readonly ok: boolean;
  readonly text: string;
  /** They stand behind the block: a block holds text only. */
  readonly files: readonly FilePart[];
}

export function readOutput(output: ToolOutput, warn: (warning: Warning) => void): OutputText {
  switch (output.type) {
    case 'text':
      return { ok: true, text: output.value, files: [] };
    case 'json':
      return { ok: true, text: jsonText(output.value), files: [] };
    case 'error-text':
      return { ok: false, text: output.value, files: [] };
    case 'error-json':
      return { ok: false, text: jsonText(output.value), files: [] };
    case 'execution-denied': {
      const because = output.reason === undefined ? '' : ` ${output.reason}`;
      return { ok: false, text: `denied: the user did not allow this call.${because}`, files: [] };
    }
    case 'content':
      return readContent(output.value, warn);
  }
}

function readContent(parts: readonly OutputPart[], warn: (warning: Warning) => void): OutputText {
  const lines: string[] = [];
  const files: FilePart[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      lines.push(part.text);
      continue;
    }
    const file = fileOf(part);
    if (file === undefined && 'url' in part) {
      lines.push('(a file is left out: its URL is not valid)');
      warn({
        type: 'other',
        message: `A file of a tool result is left out: ${JSON.stringify(part.url)} is no URL that can be opened from anywhere; write it whole, with https://.`,
      });
    } else if (file === undefined) {
      lines.push(`(a part of the type ${part.type} is left out: it cannot be shown here)`);
      warn({
        type: 'unsupported',
        feature: `tool result part "${part.type}"`,
        details: 'A result in text carries text, file data and file URLs.',
      });
    } else {
      files.push(file);
      lines.push(`(file ${files.length}, ${file.mediaType}, follows this result)`);
    }
  }
  return { ok: true, text: lines.join('\n'), files };
}

function fileOf(part: OutputPart): FilePart | undefined {
  switch (part.type) {
    case 'file':
    case 'file-data':
    case 'image-data': {
      const { data, mediaType } = part;
      const filename = part.type === 'image-data' ? undefined : part.filename;
      return { type: 'file', mediaType, data, ...(filename === undefined ? {} : { filename }) };
    }
    case 'image-url':
    case 'file-url': {
      const given = part.type === 'image-url' ? 'image/*' : part.mediaType;
      const mediaType = given ?? 'application/octet-stream';
      return URL.canParse(part.url) ? { type: 'file', mediaType, data: new URL(part.url) } : undefined;
    }
    default:
      return undefined;
  }
}

/** A string needs no quotes: it stands alone in its block. */
function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}
