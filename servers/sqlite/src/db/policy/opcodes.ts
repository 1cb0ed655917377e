// Opcodes of SQLite's virtual machine that statements may use: https://sqlite.org/opcode.html
// Opcodes that are not listed, future ones included, are refused.

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Inserting and deleting opcodes reach only tables of the statement itself: without OpenWrite no other table is open for writing. */
const READING = words(`
  Abortable Add AddImm Affinity AggFinal AggInverse AggStep AggStep1 AggValue And BeginSubrtn BitAnd BitNot BitOr Blob Cast Close
  ClrSubtype CollSeq Column ColumnsUsed Compare Concat Copy Count CursorHint CursorLock CursorUnlock DecrJumpZero DeferredSeek
  Delete Divide ElseEq EndCoroutine Eq Explain Filter FilterAdd FinishSeek Found Function Ge GetSubtype Gosub Goto Gt Halt
  HaltIfNull IFindKey IdxDelete IdxGE IdxGT IdxInsert IdxLE IdxLT IdxRowid If IfEmpty IfNoHope IfNot IfNotZero IfNullRow IfPos
  IfSizeBetween Init InitCoroutine Insert Int64 IntCopy Integer IsNull IsTrue IsType Jump Last Le Lt MakeRecord MemMax Move
  Multiply MustBeInt Ne NewRowid Next NoConflict Noop Not NotExists NotFound NotNull Null NullRow Offset OffsetLimit Once
  OpenAutoindex OpenDup OpenEphemeral OpenPseudo OpenRead Or Param Permutation Prev PureFunc ReadCookie Real RealAffinity
  ReleaseReg Remainder ReopenIdx ResetSorter ResultRow Return Rewind RowCell RowData RowSetAdd RowSetRead RowSetTest Rowid SCopy
  SeekEnd SeekGE SeekGT SeekHit SeekLE SeekLT SeekRowid SeekScan Sequence SequenceTest SetSubtype ShiftLeft ShiftRight SoftNull
  Sort SorterCompare SorterData SorterInsert SorterNext SorterOpen SorterSort String String8 Subtract TableLock Trace Transaction
  TypeCheck VColumn VFilter VInitIn VNext VOpen Variable Yield ZeroOrNull
`);

/**
 * Changes of tables and of the schema of one database: no other files, settings or transactions. SqlExec checks a new table with
 * generated columns; its only other use is PRAGMA optimize, and no PRAGMA gets here.
 */
const WRITING = words(`
  Clear CreateBtree Destroy DropIndex DropTable DropTrigger Expire FkCheck FkCounter FkIfZero LoadAnalysis OpenWrite ParseSchema
  Program ResetCount SetCookie SqlExec VBegin VCheck VCreate VDestroy VRename VUpdate
`);

export const READ_OPCODES: ReadonlySet<string> = new Set(READING);
export const WRITE_OPCODES: ReadonlySet<string> = new Set([...READING, ...WRITING]);
