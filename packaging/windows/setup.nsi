; Longread for one person: no administrator is asked. /S installs silently, /D=FOLDER (last, unquoted) elsewhere.
; Defined by the build: VERSION, NUMBERS (four, of the version), TREE, OUT, REMOVE (lines that take the program away),
; COMPRESSION (lzma, or zlib for trying things out), and SIGN where there is a certificate.
Unicode true
Target amd64-unicode
SetCompressor /SOLID ${COMPRESSION}
!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Longread"
!define CLASS "Longread.Document"

Name "Longread"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Longread"
InstallDirRegKey HKCU "Software\Longread" "Folder"
RequestExecutionLevel user
ManifestLongPathAware true
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "Longread"
VIAddVersionKey "FileDescription" "Longread Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!define MUI_ICON "${TREE}\longread.ico"
!define MUI_UNICON "${TREE}\longread.ico"
!ifdef SIGN
  !uninstfinalize '"${SIGN}" "%1"' = 0
!endif
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE CheckFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\longread.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString ASK_DATA ${LANG_ENGLISH} "Delete what Longread keeps as well, in $LOCALAPPDATA\longread: documents' texts, conversations, models and runtimes? This cannot be undone."
LangString ASK_DATA ${LANG_SIMPCHINESE} "是否同时删除 Longread 保存在 $LOCALAPPDATA\longread 中的内容：文档文本、对话、模型和运行环境？此操作无法撤销。"
LangString IN_USE ${LANG_ENGLISH} "Longread is running. Close it and try again."
LangString IN_USE ${LANG_SIMPCHINESE} "Longread 正在运行。请关闭后重试。"
LangString OTHERS ${LANG_ENGLISH} "$INSTDIR holds other things, or is where Longread keeps its data. Choose an empty folder."
LangString OTHERS ${LANG_SIMPCHINESE} "$INSTDIR 中已有其他内容，或者是 Longread 保存数据的位置。请选择一个空文件夹。"

; Only a folder that is empty or ours: what is removed from it later must be what was installed.
Function CheckFolder
  ${DirState} "$INSTDIR" $0 ; 1: something lies there
  ${If} $INSTDIR == "$LOCALAPPDATA\longread"
  ${OrIf} $0 = 1
  ${AndIfNot} ${FileExists} "$INSTDIR\Uninstall.exe"
    MessageBox MB_OK|MB_ICONSTOP "$(OTHERS)" /SD IDOK
    SetErrorLevel 2
    Abort
  ${EndIf}
FunctionEnd

; A program that runs cannot be opened for writing. Looked at before anything is removed.
!macro RefuseRunning NAME
  ${If} ${FileExists} "$INSTDIR\${NAME}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${NAME}" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONSTOP "$(IN_USE)" /SD IDOK
      Abort
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

!macro OpenWith ENDING
  WriteRegStr HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${CLASS}" ""
!macroend
!macro ForgetOpenWith ENDING
  DeleteRegValue HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${CLASS}"
!macroend
!macro EachEnding DO
  !insertmacro ${DO} ".pdf"
  !insertmacro ${DO} ".docx"
  !insertmacro ${DO} ".pptx"
  !insertmacro ${DO} ".xlsx"
  !insertmacro ${DO} ".xls"
  !insertmacro ${DO} ".odt"
  !insertmacro ${DO} ".ods"
  !insertmacro ${DO} ".odp"
  !insertmacro ${DO} ".rtf"
  !insertmacro ${DO} ".epub"
  !insertmacro ${DO} ".html"
  !insertmacro ${DO} ".md"
  !insertmacro ${DO} ".txt"
  !insertmacro ${DO} ".eml"
  !insertmacro ${DO} ".msg"
  !insertmacro ${DO} ".ipynb"
!macroend

!macro TellExplorer ; that what opens what has changed
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend

; What an older version installed goes first, wherever it lies, so that no module of it is left to be imported. Its own
; uninstaller knows what that is; silently it leaves the data.
!macro RemoveOlder FOLDER
  ${If} ${FileExists} "${FOLDER}\Uninstall.exe"
    ExecWait '"${FOLDER}\Uninstall.exe" /S _?=${FOLDER}' $0
    ${If} $0 <> 0
      MessageBox MB_OK|MB_ICONSTOP "$(IN_USE)" /SD IDOK
      Abort
    ${EndIf}
    Delete "${FOLDER}\Uninstall.exe"
    RMDir "${FOLDER}"
  ${EndIf}
!macroend

Section "Longread"
  Call CheckFolder
  ReadRegStr $1 HKCU "Software\Longread" "Folder"
  !insertmacro RemoveOlder "$INSTDIR"
  !insertmacro RemoveOlder "$1"
  SetOutPath "$INSTDIR"
  File /r "${TREE}\*.*"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Longread.lnk" "$INSTDIR\longread.exe"
  WriteRegStr HKCU "Software\Longread" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Longread"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\longread.ico"
  WriteRegStr HKCU "${KEY}" "Publisher" "The Longread authors"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
  WriteRegStr HKCU "Software\Classes\${CLASS}\shell\open\command" "" '"$INSTDIR\longread.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\${CLASS}\DefaultIcon" "" "$INSTDIR\longread.ico"
  !insertmacro EachEnding OpenWith
  !insertmacro TellExplorer
SectionEnd

; Silently the data stay, unless /DATA is given as well.
Section "Uninstall"
  !insertmacro RefuseRunning "longread.exe"
  !insertmacro RefuseRunning "longread.com"
  !insertmacro RefuseRunning "longread-engine.exe"
  !include "${REMOVE}"
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Longread.lnk"
  !insertmacro EachEnding ForgetOpenWith
  DeleteRegKey HKCU "Software\Classes\${CLASS}"
  DeleteRegKey HKCU "${KEY}"
  DeleteRegKey HKCU "Software\Longread"
  !insertmacro TellExplorer
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DATA" $1
  ${IfNot} ${Errors}
  ${OrIf} ${Cmd} `MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(ASK_DATA)" /SD IDNO IDYES`
    RMDir /r "$LOCALAPPDATA\longread"
  ${EndIf}
SectionEnd
