using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Security.Cryptography.X509Certificates;
using Xs2a;
using static BindingTest;

/// <summary>What a bank's functions explain, and the functions for revocation and for the seal.</summary>
internal static class CallbackTest
{
    private const string Now = "2026-09-01T10:00:00Z";
    private const string Why = "core: closed \"for\" the night";

    private static void ErrorTextReachesTheLogAndOtherExceptionsDoNot()
    {
        using (var gateway = new Gateway())
        {
            gateway.Bank.First["fee"] = () => throw new BankException(Why);
            AssertLogged(gateway, "bank: fee: " + Why);
            gateway.Bank.First["fee"] = () => throw new InvalidOperationException("Kari Nordmann");
            AssertLogged(gateway, "bank: fee: the callback gave 1");
            gateway.Bank.First.Clear();
            string id = Gateway.Authorisation(gateway.Create());
            gateway.Bank.First["debtor_account"] = () => throw new BankException(Why);
            var failed = Thrown<Xs2aException>(() => gateway.Engine.CompleteSca(id, Gateway.Approved));
            Equal(Result.Bank, failed.Code);
            Check(failed.Message.Contains("debtor_account: " + Why), failed.Message);
        }
    }

    private static void AssertLogged(Gateway gateway, string error)
    {
        Equal("SYS-02", gateway.Create().Reason);
        LogRecord record = gateway.Bank.Logged.Last();
        Equal("error", record.Level);
        Equal("xs2a::pipeline::stages::respond", record.Target);
        Equal("a request could not be processed", record.Message);
        Equal(error, Tools.JsonAt(record.Fields, "/error"));
        Equal("createPayment", Tools.JsonAt(record.Fields, "/operation"));
    }

    private static void RevocationIsAskedOnEveryCall()
    {
        var status = RevocationStatus.Good;
        Func<Gateway, Bank, string> change = (own, bank) =>
        {
            bank.Revocation = (certificate, issuer) =>
            {
                Equal(new X509Certificate(issuer).Subject, new X509Certificate(certificate).Issuer);
                return status;
            };
            return ",\"policy\":{\"account_check_digit\":\"warn\",\"missing_crl\":\"refuse\"}";
        };
        using (var gateway = new Gateway(change, own => own.Sandbox.RootPem()))
        {
            string[] reasons = { null, "CRT-15", "CRT-16", "CRT-17", "SYS-02" };
            for (int given = 0; given < reasons.Length; given++)
            {
                status = (RevocationStatus)given;
                Equal(reasons[given] ?? "", gateway.Create().Reason ?? "");
            }
            Equal(1, gateway.Bank.Failures.Count); // the last is no status
            Fails(Result.Misuse, () => gateway.Engine.SupplyCrl(new byte[] { 1 }, ""));
        }
    }

    /// <summary>Signs by the openssl command.</summary>
    private static byte[] SignByOpenssl(string keyFile, byte[] text)
    {
        var start = new ProcessStartInfo("openssl", "dgst -sha256 -sign " + keyFile)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        using (var openssl = Process.Start(start))
        using (var signature = new MemoryStream())
        {
            openssl.StandardInput.BaseStream.Write(text, 0, text.Length);
            openssl.StandardInput.Close();
            openssl.StandardOutput.BaseStream.CopyTo(signature);
            openssl.WaitForExit();
            Equal(0, openssl.ExitCode);
            return signature.ToArray();
        }
    }

    private static void AnswersAreSignedByAKeyThatTheEngineDoesNotHave()
    {
        string failure = null;
        string keyFile = Path.GetTempFileName();
        Func<Gateway, Bank, string> change = (own, bank) =>
        {
            string certificate = own.Tpp.CertificatePem();
            File.WriteAllText(keyFile, own.Tpp.PrivateKeyPem());
            bank.Sign = (asked, text) =>
            {
                Equal(own.Tpp.OrganisationId(), Tools.JsonAt(Tools.ParseCertificate(asked), "/organisation_id"));
                return failure == null ? SignByOpenssl(keyFile, text) : throw new BankException(failure);
            };
            return ",\"response_key\":{\"certificate\":" + Tools.JsonString(certificate)
                + "},\"policy\":{\"account_check_digit\":\"warn\",\"sign_responses\":true}";
        };
        using (var gateway = new Gateway(change, own => own.Tpp.CertificatePem()))
        {
            string trusted = gateway.Tpp.CertificatePem();
            Response answer = gateway.Create();
            Equal(201, answer.Status);
            string found = Tools.VerifyResponse(answer.Headers, answer.Body, Now, trusted);
            Equal("true", Tools.JsonAt(found, "/ok"));
            failure = "the token is locked";
            Equal(500, gateway.Create().Status);
            Equal("bank: sign: the token is locked", Tools.JsonAt(gateway.Bank.Logged.Last().Fields, "/error"));
            Fails(Result.Bank, () => gateway.Engine.ReplaceResponseKey(trusted, null));
            failure = null;
            gateway.Engine.ReplaceResponseKey(trusted, null);
            Equal(201, gateway.Create().Status);
        }
        File.Delete(keyFile);
    }

    internal static void Run()
    {
        ErrorTextReachesTheLogAndOtherExceptionsDoNot();
        RevocationIsAskedOnEveryCall();
        AnswersAreSignedByAKeyThatTheEngineDoesNotHave();
    }
}
