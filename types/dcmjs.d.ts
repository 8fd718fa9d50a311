/** The part of dcmjs that Groundmark uses; the package brings no types. */
declare module 'dcmjs' {
  interface DicomElement {
    vr: string;
    Value: unknown[];
  }
  type DicomElements = Record<string, DicomElement>;

  class DicomDict {
    constructor(meta: DicomElements);
    dict: DicomElements;
    meta: DicomElements;
    write(options?: Record<string, unknown>): ArrayBuffer;
  }

  const dcmjs: {
    data: {
      DicomDict: typeof DicomDict;
      DicomMetaDictionary: {
        nameMap: Record<string, { tag: string; vr: string; vm: string } | undefined>;
        dictionary: Record<string, { name: string; vr: string; version: string } | undefined>;
        denaturalizeDataset(dataset: Record<string, unknown>): DicomElements;
      };
    };
    log: { disableAll(): void; setLevel(level: string): void };
  };
  export default dcmjs;
}
