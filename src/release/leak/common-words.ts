/**
 * Words that a name or an id can consist of and that fair public text also holds. A private value made only of such
 * words is not looked for by itself; longer values that contain them are.
 */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  `a an and as at by de for from in is it of on or the to with van von
   adult anon anonymized anonymous case demo dicom example female male name none null patient person phantom sample
   scan scanner study subject test unknown
   abdomen abdominal arm axial back bone body brain breast chest contrast coronal ct foot hand head hip image imaging
   kidney knee leg liver lung mr mri neck nm orbit pelvis pet petct sagittal series shoulder skull spine thorax
   ultrasound us whole xr
   all few first here last many mid new next not old one out post pre same top two three
   best black blue bright brown case cross day dark dean early east field fine gray green grey hall high hill hope
   hospital house king lane large late law lesion little long love low major marrow may medical medicine minor mark
   moon mountain noble north page park plain price rich right left round sharp short small south stern stone street
   strong summer sweet thick thin wall waters west white wide wise wood young
   center centre clinic department general institute national radiology research university`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Whether a folded value says nothing by itself: only common words, only one character, or only up to three digits. */
export function isCommonValue(folded: string): boolean {
  if (folded.length < 2 || /^\d{1,3}$/.test(folded)) return true;
  // Zeros, dots and dashes are how an emptied field is written.
  if (/^[0.\-_ ]+$/.test(folded)) return true;
  return /^[\p{L} ]+$/u.test(folded) && folded.split(' ').every((word) => COMMON_WORDS.has(word));
}
